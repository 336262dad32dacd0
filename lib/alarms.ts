import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS } from '../lambda/contract.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { FunctionWithRole } from './function-with-role.ts';
import { depthOf, errorsOf, highest, iteratorAgeOf, oldestOf, serverErrorsOf, throttlesOf, total } from './metrics.ts';
import type { Outbox } from './outbox.ts';
import type { Retries } from './retries.ts';

/** One alarm. Its name is also that of its section in `docs/runbook.md`. */
export interface AlarmDefinition {
  readonly name: string;
  /** `high`: something is lost or late until somebody acts. `medium`: something else has stepped in. */
  readonly severity: 'high' | 'medium';
  /** One sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  readonly atLeast: number;
  /** Of the threshold, in the plural. */
  readonly unit: 'answers' | 'attempts' | 'errors' | 'events' | 'messages' | 'ms' | 'seconds' | 'throttles';
  /** Rings too when no value comes: for a metric that is sent as long as all is well. */
  readonly ringsWhenSilent?: true;
}

export interface AlarmsProps {
  readonly api: IHttpApi;
  readonly receive: FunctionWithRole;
  readonly retries: Retries;
  readonly outbox: Outbox;
  /** Absent in a stack without the deliverer. */
  readonly deliveries: DeliveryQueues | undefined;
}

/** One failed attempt waits no longer than this for the next one. */
const EVENTS_QUEUE_AGE_SECONDS = 3600;

/**
 * Half of the 14 days for which the DLQ keeps an event. SQS counts them from when a message was first sent, but tells
 * the age from when it came to the DLQ: one that SQS itself moved there was up to 6.25 days old by then
 * (`maxReceiveCount` in `events-queues.ts`), and this rings before its end too.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html
 */
const EVENTS_DLQ_AGE_SECONDS = 7 * 86_400;

/** The sweep sends what is overdue within three minutes by default; three times that is no longer a hiccup. */
const OUTBOX_OLDEST_MS = 10 * 60_000;

/** Far from the stream's 24 h, and far from the 6 h after which Lambda gives a record up: time to act before either. */
const ITERATOR_AGE_MS = 60 * 60_000;

/** Every alarm of a stack. */
export const alarmsOf = ({ api, receive, retries, outbox, deliveries }: AlarmsProps): readonly AlarmDefinition[] => [
  ...eventAlarms(api, retries),
  ...functionAlarms(receive, retries.work),
  ...outboxAlarms(outbox),
  ...(deliveries === undefined ? [] : deliveryAlarms(deliveries)),
];

const eventAlarms = (api: IHttpApi, { queues }: Retries): readonly AlarmDefinition[] => [
  {
    name: 'NotAcknowledged',
    severity: 'high',
    meaning: 'A delivery was answered 5xx: its event was neither applied nor queued.',
    // The API's metric and not one of ours: it also has what no function lived to tell.
    metric: serverErrorsOf(api),
    atLeast: 1,
    unit: 'answers',
  },
  {
    name: 'Parked',
    severity: 'high',
    meaning: 'An event was given up and waits in the events DLQ.',
    metric: total(METRICS.parked),
    atLeast: 1,
    unit: 'events',
  },
  {
    name: 'EventsDlq',
    severity: 'high',
    meaning: 'The events DLQ has an event that is not applied.',
    metric: depthOf(queues.deadLetters),
    atLeast: 1,
    unit: 'events',
  },
  {
    name: 'EventsDlqAge',
    severity: 'high',
    meaning: 'An event has been in the events DLQ for a week, and SQS deletes it in the next one.',
    metric: oldestOf(queues.deadLetters),
    atLeast: EVENTS_DLQ_AGE_SECONDS,
    unit: 'seconds',
  },
  {
    name: 'EventsQueueAge',
    severity: 'medium',
    meaning: 'An event has waited in the events queue for over an hour.',
    metric: oldestOf(queues.events),
    atLeast: EVENTS_QUEUE_AGE_SECONDS,
    unit: 'seconds',
  },
  {
    name: 'Failed',
    // The event is queued or its provider was told to send again; if that is in vain, `Parked` rings.
    severity: 'medium',
    meaning: 'An attempt at an event failed, and the event is tried again.',
    metric: total(METRICS.failed),
    atLeast: 1,
    unit: 'attempts',
  },
];

/** Of the two that apply events. The other functions have alarms on what they leave undone. */
const functionAlarms = (receive: FunctionWithRole, work: FunctionWithRole): readonly AlarmDefinition[] => [
  {
    name: 'ReceiveErrors',
    severity: 'high',
    meaning: 'Receive died or ran into its timeout, so a delivery was not acknowledged.',
    metric: errorsOf(receive.lambda),
    atLeast: 1,
    unit: 'errors',
  },
  {
    name: 'ReceiveThrottles',
    severity: 'high',
    meaning: 'A delivery found no concurrency left for receive and was not acknowledged.',
    metric: throttlesOf(receive.lambda),
    atLeast: 1,
    unit: 'throttles',
  },
  {
    name: 'WorkErrors',
    // The message is still in the events queue, and its event is tried again when the lease has ended.
    severity: 'medium',
    meaning: 'Work died or ran into its timeout in the middle of an attempt.',
    metric: errorsOf(work.lambda),
    atLeast: 1,
    unit: 'errors',
  },
  {
    name: 'WorkThrottles',
    severity: 'medium',
    meaning: 'Work found no concurrency left, and queued events wait.',
    metric: throttlesOf(work.lambda),
    atLeast: 1,
    unit: 'throttles',
  },
];

const outboxAlarms = ({ queues, dispatch }: Outbox): readonly AlarmDefinition[] => [
  {
    name: 'OutboxStuck',
    severity: 'high',
    meaning: 'A message could not be sent to the outbox queue and is no longer tried.',
    // How many there are, told by each run of the sweep: a sum would count one message once a minute.
    metric: highest(METRICS.outboxStuck),
    atLeast: 1,
    unit: 'messages',
  },
  {
    name: 'OutboxOldest',
    severity: 'high',
    meaning: 'A message has waited in the outbox for over 10 minutes, or the sweep, which looks, does not run.',
    metric: highest(METRICS.outboxOldestMs),
    atLeast: OUTBOX_OLDEST_MS,
    unit: 'ms',
    ringsWhenSilent: true,
  },
  {
    name: 'DispatchIteratorAge',
    severity: 'medium',
    meaning: 'Dispatch is over an hour behind the stream, and messages go out by the sweep.',
    metric: iteratorAgeOf(dispatch.lambda),
    atLeast: ITERATOR_AGE_MS,
    unit: 'ms',
  },
  {
    name: 'OutboxDlq',
    severity: 'high',
    meaning: 'A consumer of the outbox queue gave a message up, or received it too often.',
    metric: depthOf(queues.deadLetters),
    atLeast: 1,
    unit: 'messages',
  },
  {
    name: 'StreamFailures',
    severity: 'medium',
    meaning: 'Lambda gave up a batch of the outbox stream, and its messages go out by the sweep.',
    metric: depthOf(queues.streamFailures),
    atLeast: 1,
    unit: 'messages',
  },
];

const deliveryAlarms = (queues: DeliveryQueues): readonly AlarmDefinition[] => [
  {
    name: 'DeliveriesDlq',
    severity: 'high',
    meaning: 'A target did not take a message in about a day of attempts, and it is not tried any more.',
    metric: depthOf(queues.deadLetters),
    atLeast: 1,
    unit: 'messages',
  },
];
