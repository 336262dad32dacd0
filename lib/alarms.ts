import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS } from '../lambda/contract.ts';
import { depthOf, highest, iteratorAgeOf, total } from './metrics.ts';
import type { Outbox } from './outbox.ts';

/** One alarm. Its name is also that of its section in `docs/runbook.md`. */
export interface AlarmDefinition {
  readonly name: string;
  /** `high`: something is lost or late until somebody acts. `medium`: something else has stepped in. */
  readonly severity: 'high' | 'medium';
  /** One sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  readonly atLeast: number;
  /** Rings too when no value comes: for a metric that is sent as long as all is well. */
  readonly ringsWhenSilent?: true;
}

/** The sweep sends what is overdue within three minutes by default; three times that is no longer a hiccup. */
const OLDEST_MS = 10 * 60_000;

/** Far from the stream's 24 h, and far from the 6 h after which Lambda gives a record up: time to act before either. */
const ITERATOR_AGE_MS = 60 * 60_000;

/** Every alarm of a stack. @param outbox `undefined` where messages are not sent. */
export const alarmsOf = (outbox: Outbox | undefined): readonly AlarmDefinition[] => [
  {
    name: 'Failed',
    severity: 'high',
    meaning: 'A verified event was not applied.',
    metric: total(METRICS.failed),
    atLeast: 1,
  },
  ...(outbox === undefined ? [] : outboxAlarms(outbox)),
];

const outboxAlarms = ({ queues, dispatch }: Outbox): readonly AlarmDefinition[] => [
  {
    name: 'OutboxStuck',
    severity: 'high',
    meaning: 'A message could not be sent to the outbox queue and is no longer tried.',
    // How many there are, told by each run of the sweep: a sum would count one message once a minute.
    metric: highest(METRICS.outboxStuck),
    atLeast: 1,
  },
  {
    name: 'OutboxOldest',
    severity: 'high',
    meaning: 'A message has waited in the outbox for over 10 minutes, or the sweep, which looks, does not run.',
    metric: highest(METRICS.outboxOldestMs),
    atLeast: OLDEST_MS,
    ringsWhenSilent: true,
  },
  {
    name: 'DispatchIteratorAge',
    severity: 'medium',
    meaning: 'Dispatch is over an hour behind the stream, and messages go out by the sweep.',
    metric: iteratorAgeOf(dispatch.lambda),
    atLeast: ITERATOR_AGE_MS,
  },
  {
    name: 'OutboxDlq',
    severity: 'high',
    meaning: 'A consumer of the outbox queue received a message too often.',
    metric: depthOf(queues.deadLetters),
    atLeast: 1,
  },
  {
    name: 'StreamFailures',
    severity: 'medium',
    meaning: 'Lambda gave up a batch of the outbox stream, and its messages go out by the sweep.',
    metric: depthOf(queues.streamFailures),
    atLeast: 1,
  },
];
