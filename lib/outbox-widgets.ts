import { GraphWidget, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS } from '../lambda/contract.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { depthOf, highest, named, oldestOf, percentile, total } from './metrics.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import { FULL_WIDTH, HEIGHT } from './widget-size.ts';

/** How soon messages leave the outbox, how many, and what did not arrive. */
export const outboxFlow = (queues: OutboxQueues): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Outbox: from commit to queue, and the oldest message that waits',
      width: 8,
      height: HEIGHT,
      left: [
        named(percentile(METRICS.outboxLagMs, 99), 'Lag, 99 %'),
        named(highest(METRICS.outboxLagMs), 'Lag, longest'),
        named(highest(METRICS.outboxOldestMs), 'Oldest that waits'),
      ],
      leftYAxis: { min: 0, label: 'ms', showUnits: false },
    }),
    new GraphWidget({
      title: 'Outbox: messages sent, and stuck',
      width: 8,
      height: HEIGHT,
      left: [total(METRICS.outboxDispatched)],
      right: [highest(METRICS.outboxStuck)],
      leftYAxis: { min: 0 },
      rightYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Outbox: messages in the DLQ, and batches the stream gave up',
      width: 8,
      height: HEIGHT,
      left: [named(depthOf(queues.deadLetters), 'DLQ'), named(depthOf(queues.streamFailures), 'Stream failures')],
      leftYAxis: { min: 0 },
    }),
  ],
];

/** What the consumer of this stack did with the messages. */
export const consumerFlow = (): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Consumer: messages applied, and copies that were not applied again',
      width: FULL_WIDTH,
      height: HEIGHT,
      left: [total(METRICS.consumed), total(METRICS.consumerDuplicates)],
      leftYAxis: { min: 0 },
    }),
  ],
];

/** What the targets outside got. */
export const deliverFlow = (queues: DeliveryQueues): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Targets: messages delivered, and failed attempts',
      width: 16,
      height: HEIGHT,
      left: [total(METRICS.delivered)],
      right: [total(METRICS.deliveryFailed)],
      leftYAxis: { min: 0 },
      rightYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Targets: the oldest message that waits, and messages in the DLQ',
      width: 8,
      height: HEIGHT,
      left: [named(oldestOf(queues.deliveries), 'Oldest')],
      right: [named(depthOf(queues.deadLetters), 'DLQ')],
      leftYAxis: { min: 0, label: 's', showUnits: false },
      rightYAxis: { min: 0 },
    }),
  ],
];
