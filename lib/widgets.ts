import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { GraphWidget, type IWidget, LogQueryWidget, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { LOG_FIELDS, METRICS, type MetricName, OUTCOME_MESSAGE } from '../lambda/contract.ts';
import type { EventsQueues } from './events-queues.ts';
import {
  clientErrorsOf,
  depthOf,
  duplicateRate,
  named,
  ofSource,
  oldestOf,
  percentile,
  serverErrorsOf,
  total,
} from './metrics.ts';
import { FULL_WIDTH, HEIGHT } from './widget-size.ts';

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
export const traffic = (api: IHttpApi): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Received and processed',
      width: 8,
      height: HEIGHT,
      left: [total(METRICS.received), total(METRICS.processed)],
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Copies that met their event in progress, and take-overs of a claim that ended',
      width: 8,
      height: HEIGHT,
      left: [total(METRICS.inProgress), total(METRICS.takeovers)],
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Rejected deliveries, and answers of 4xx and 5xx',
      width: 8,
      height: HEIGHT,
      left: [total(METRICS.rejected), named(clientErrorsOf(api), '4xx'), named(serverErrorsOf(api), '5xx')],
      leftYAxis: { min: 0 },
    }),
  ],
];

/** How long it takes to apply an event, and what got in its way. */
export const applying = (): readonly (readonly IWidget[])[] => [
  [
    percentilesOf('Handler: time of an attempt', METRICS.handlerMs),
    percentilesOf('Commit: time of the transaction', METRICS.commitMs),
    new GraphWidget({
      title: 'Commits sent again after a conflict',
      width: 6,
      height: HEIGHT,
      left: [total(METRICS.commitConflicts)],
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Events overtaken by a newer one, or older than the window; copies with another body',
      width: 6,
      height: HEIGHT,
      left: [total(METRICS.superseded), total(METRICS.expired), total(METRICS.bodyMismatch)],
      leftYAxis: { min: 0 },
    }),
  ],
];

const percentilesOf = (title: string, metric: MetricName): IWidget =>
  new GraphWidget({
    title,
    width: 6,
    height: HEIGHT,
    left: [named(percentile(metric, 50), '50 %'), named(percentile(metric, 99), '99 %')],
    leftYAxis: { min: 0, label: 'ms', showUnits: false },
  });

/** What was not applied at once: how much of it there is, how long it waits, and what was given up. */
export const retryFlow = (queues: EventsQueues): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Events queued, failed attempts, and events parked',
      width: 8,
      height: HEIGHT,
      left: [total(METRICS.queued), total(METRICS.failed), total(METRICS.parked)],
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Events queue: the oldest event that waits',
      width: 8,
      height: HEIGHT,
      left: [named(oldestOf(queues.events), 'Oldest')],
      leftYAxis: { min: 0, label: 's', showUnits: false },
    }),
    new GraphWidget({
      title: 'Events DLQ: events, and the oldest one',
      width: 8,
      height: HEIGHT,
      left: [named(depthOf(queues.deadLetters), 'DLQ')],
      right: [named(oldestOf(queues.deadLetters), 'Oldest')],
      leftYAxis: { min: 0 },
      rightYAxis: { min: 0, label: 's', showUnits: false },
    }),
  ],
];

/** The last copies, by name. */
export const latestDuplicates = (eventLogs: readonly ILogGroup[]): IWidget =>
  new LogQueryWidget({
    title: 'Latest dedup hits',
    width: FULL_WIDTH,
    height: HEIGHT,
    logGroupNames: eventLogs.map(({ logGroupName }) => logGroupName),
    queryLines: [
      `fields @timestamp, ${[LOG_FIELDS.source, LOG_FIELDS.eventId, LOG_FIELDS.eventType].join(', ')}`,
      `filter ${LOG_FIELDS.message} = "${OUTCOME_MESSAGE}" and ${LOG_FIELDS.outcome} = "duplicate"`,
      'sort @timestamp desc',
      'limit 50',
    ],
  });
