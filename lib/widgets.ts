import { GraphWidget, type IWidget, LogQueryWidget, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { LOG_FIELDS, METRICS, OUTCOME_MESSAGE } from '../lambda/contract.ts';
import { depthOf, duplicateRate, highest, named, ofSource, p99, total } from './metrics.ts';
import type { OutboxQueues } from './outbox-queues.ts';

/** CloudWatch lays widgets out on 24 columns. */
const FULL_WIDTH = 24;
const HEIGHT = 6;

/** How many copies came and were not applied again: as numbers, in time, and source by source. */
export const dedupHits = (sources: readonly string[]): readonly (readonly IWidget[])[] => [
  [
    new SingleValueWidget({
      title: 'Dedup hits',
      width: 6,
      height: HEIGHT,
      setPeriodToTimeRange: true,
      metrics: [total(METRICS.duplicates), duplicateRate()],
    }),
    new GraphWidget({
      title: 'Dedup hits, and their share of the received events',
      width: 18,
      height: HEIGHT,
      left: [total(METRICS.duplicates)],
      right: [duplicateRate()],
      leftYAxis: { min: 0 },
      rightYAxis: { min: 0, max: 100, label: '%', showUnits: false },
    }),
  ],
  [
    new GraphWidget({
      title: 'Dedup hits by source',
      width: 12,
      height: HEIGHT,
      left: sources.map((source) => ofSource(METRICS.duplicates, source)),
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Dedup hits by source, % of received',
      width: 12,
      height: HEIGHT,
      left: sources.map((source) => duplicateRate(source)),
      leftYAxis: { min: 0, max: 100, label: '%', showUnits: false },
    }),
  ],
];

/** What came in and what became of it. */
export const traffic = (): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Received and processed',
      width: 12,
      height: HEIGHT,
      left: [total(METRICS.received), total(METRICS.processed)],
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Failed events and rejected deliveries',
      width: 12,
      height: HEIGHT,
      left: [total(METRICS.failed), total(METRICS.rejected)],
      leftYAxis: { min: 0 },
    }),
  ],
];

/** How soon messages leave the outbox, how many, and what did not arrive. */
export const outboxFlow = (queues: OutboxQueues): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Outbox: from commit to queue, and the oldest message that waits',
      width: 8,
      height: HEIGHT,
      left: [
        named(p99(METRICS.outboxLagMs), 'Lag, 99 %'),
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

/** The last copies, by name. */
export const latestDuplicates = (receiveLogs: ILogGroup): IWidget =>
  new LogQueryWidget({
    title: 'Latest dedup hits',
    width: FULL_WIDTH,
    height: HEIGHT,
    logGroupNames: [receiveLogs.logGroupName],
    queryLines: [
      `fields @timestamp, ${[LOG_FIELDS.source, LOG_FIELDS.eventId, LOG_FIELDS.eventType].join(', ')}`,
      `filter ${LOG_FIELDS.message} = "${OUTCOME_MESSAGE}" and ${LOG_FIELDS.outcome} = "duplicate"`,
      'sort @timestamp desc',
      'limit 50',
    ],
  });
