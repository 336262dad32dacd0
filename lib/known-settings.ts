import type { Sources } from './declarations.ts';
import { type DedupWindowDays, defaultDedupWindowDays } from './dedup-window.ts';
import { type DeliverTo, deliverTo } from './deliver-to.ts';
import {
  certificateArn,
  either,
  emailAddress,
  hostName,
  kmsKeyArn,
  oneNumberOf,
  oneWordOf,
  type SettingRule,
  wholeNumber,
  yesOrNo,
} from './setting-rules.ts';

/** One setting: what it takes, what it is when left out, and what it does. */
export interface Setting<Value, Default = Value> {
  readonly rule: SettingRule<Value>;
  readonly fallback: (sources: Sources) => Default;
  /** The fallback in words. */
  readonly fallbackText: string;
  /** For `docs/settings.md`. */
  readonly about: string;
}

export const STAGES = ['dev', 'prod'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * The largest body a function can be handed: Lambda takes 6 MB of request, in which API Gateway
 * may put the body as base64, a third longer, beside up to 10 KB of headers. 4 MiB become 5.6 MB.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;

/**
 * HTTP API gives up on an integration after 30 s; the function has to be done before.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const LONGEST_RECEIVE_SECONDS = 29;

/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LONGEST_FUNCTION_SECONDS = 900;

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Every setting, in the order of the documentation. */
export const SETTINGS = {
  stage: constant(
    oneWordOf(STAGES),
    'dev',
    "Part of the stack's name, so that both stages fit one account. `prod` keeps its tables, queues, bucket, " +
      'secret and logs when the stack is deleted and protects the tables from deletion; `dev` removes everything, but ' +
      'for a bucket that still has objects: docs/retained-tables.md.',
  ),
  dedupWindowDays: {
    rule: either(wholeNumber(1, 3650), oneWordOf(['forever'])),
    fallback: defaultDedupWindowDays,
    fallbackText: '14, or twice the longest retry horizon of the sources where that is more',
    about:
      'Days for which an applied event is remembered. A copy that comes later cannot be told from a new event. ' +
      "A window shorter than a source's retry horizon is refused. With `forever`, rows are never deleted. " +
      'After a rise, rows written before it are still deleted after the old window: docs/upgrade.md says what to heed.',
  } satisfies Setting<DedupWindowDays>,
  receiveTimeoutSeconds: constant(
    wholeNumber(3, LONGEST_RECEIVE_SECONDS),
    10,
    'Seconds that one delivery may take, handler included; the lease of a claim is as long. At least 3, because ' +
      'nothing is claimed with less than 2 left; at most 29, because HTTP API ends at 30.',
  ),
  receiveMemoryMb: constant(
    wholeNumber(256, 10_240),
    512,
    'Memory of the receive function in MB; Lambda gives processor time in proportion. Less than 256 does not ' +
      'hold the largest body as text, as bytes and parsed.',
  ),
  receiveReservedConcurrency: {
    rule: wholeNumber(1, 10_000),
    fallback: () => undefined,
    fallbackText: "none, and receive shares the account's concurrency with everything else in it",
    about:
      "Deliveries that run at once, kept for receive alone out of the account's concurrency: nothing else in the account " +
      'can use it up, and receive never has more, so a delivery beyond it is answered 5xx. Lambda leaves 100 ' +
      'unreserved and refuses a deploy that would leave less. The quota of a new account can be as low as 10: it ' +
      'allows no reservation, so have it raised first (Service Quotas, Lambda, concurrent executions). `work` takes no ' +
      'reservation: what finds no room waits in its queue, and `workConcurrency` limits it.',
  } satisfies Setting<number, undefined>,
  maxBodyBytes: constant(
    wholeNumber(1024, LARGEST_BODY_BYTES),
    LARGEST_BODY_BYTES,
    "Bytes of a body after decoding and inflating; a larger one is answered 413. The most is what fits Lambda's " +
      '6 MB request as base64.',
  ),
  joinMs: constant(
    wholeNumber(0, 10_000),
    1500,
    'Milliseconds that a copy of a running event waits for it to finish. Never more than a third of the ' +
      "provider's deadline, and never beyond the function's own time.",
  ),
  maxAttempts: constant(
    wholeNumber(2, 20),
    5,
    'Attempts after which an event is parked: it then waits in the events DLQ for you. A crash of the function counts, ' +
      'a wait for another copy of the event does not. At least 2: with 1 every hiccup would park.',
  ),
  retryAfterSeconds: constant(
    wholeNumber(1, 3600),
    60,
    'Seconds that an event waits at most after its first failed attempt; the limit doubles with each further one, up ' +
      'to an hour, and the wait is a random part of it. With the defaults an event is parked within about a quarter ' +
      'of an hour: time for what it depends on to come back, and soon enough to be noticed.',
  ),
  workTimeoutSeconds: constant(
    wholeNumber(3, LONGEST_FUNCTION_SECONDS),
    120,
    'Seconds that one attempt at a queued event may take, handler included; the lease of its claim is as long. At ' +
      "least 3, because nothing is claimed with less than 2 left; at most 900, Lambda's own limit. The events queue " +
      'hides a message for six times as long, so an event whose process died waits longer when this is longer.',
  ),
  workMemoryMb: constant(
    wholeNumber(256, 10_240),
    512,
    'Memory of the work function in MB; Lambda gives processor time in proportion. The bodies are those of receive, ' +
      'and so is the least.',
  ),
  workConcurrency: constant(
    wholeNumber(2, 1000),
    50,
    'Attempts at queued events that run at once. All functions of an account share its concurrency, and a webhook that ' +
      'finds none left is a lost event for a sender that does not try again: a backlog must not use it up. The ' +
      'default is a twentieth of the usual 1,000, and 250 events a second at 200 ms each. An account whose quota is ' +
      'still 10 wants 5 or less. 2 is the least that Lambda takes, 1,000 the most.',
  ),
  outboxFifo: constant(
    yesOrNo,
    false,
    'Whether the outbox queue is a FIFO queue, in which the messages of a group keep the order of their dispatch. ' +
      'Decide before the first deploy: a change makes a new queue and a new DLQ, and what is in the old ones has ' +
      'to be consumed first. `prod` keeps the old queue, and cannot change back before it is deleted.',
  ),
  sweepAfterSeconds: constant(
    wholeNumber(5, 3600),
    120,
    'Seconds for which a message that is due is left to the stream before the sweep, which runs every minute, sends ' +
      'it. Less sends more messages twice, by stream and sweep at once; more makes a message that the stream missed ' +
      'come later.',
  ),
  deliverTo: {
    rule: deliverTo,
    fallback: () => undefined,
    fallbackText: 'nothing is delivered, and the outbox queue is for a consumer of yours',
    about:
      'Targets outside that get the messages of the outbox as signed HTTP requests: docs/deliver.md. A target gets the ' +
      '`topics` it names, or all; a request may take `timeoutSeconds`, 1 to 30. The deliverer is then the one consumer ' +
      'of the outbox queue, so `lambda/handlers/consumer.ts` must export none. Only https, and no host of a private ' +
      'network.',
  } satisfies Setting<DeliverTo, undefined>,
  logRetentionDays: constant(
    oneNumberOf(LOG_RETENTION_DAYS),
    30,
    "Days that log lines are kept: the functions' and the access log.",
  ),
  tracing: constant(
    yesOrNo,
    false,
    'Whether AWS X-Ray traces the functions: how long each invocation took to start and to run, and the way of an event ' +
      'from function to function through queues. Lambda records it; the bundles have no SDK of X-Ray, so calls to AWS ' +
      'are no parts of a trace. An HTTP API records nothing. It costs by the trace.',
  ),
  alarmEmail: {
    rule: emailAddress,
    fallback: () => undefined,
    fallbackText: 'alarms ring in CloudWatch alone',
    about:
      'Gets a mail for each alarm that rings. SNS first sends a mail that asks for a confirmation, and nothing else before ' +
      'somebody follows its link. The topic is encrypted with a KMS key of the stack, at about a dollar a month, because ' +
      "CloudWatch may not use the free one. The output `AlarmTopicArn` is for more subscriptions than this one's.",
  } satisfies Setting<string, undefined>,
  throttleRatePerSecond: constant(
    wholeNumber(1, 100_000),
    2000,
    'Requests a second that API Gateway lets through in the long run. More is answered 429, which is a lost ' +
      'event for a sender that does not try again: it is a limit on cost in a flood, not a way to slow a sender. ' +
      "The account's own quota (10,000 unless raised) holds too.",
  ),
  throttleBurst: constant(
    wholeNumber(1, 100_000),
    5000,
    "Requests that may arrive at once before the rate counts; the default is the account's quota. Senders send " +
      'in bursts.',
  ),
  domainName: {
    rule: hostName,
    fallback: () => undefined,
    fallbackText: "API Gateway's own name, `<id>.execute-api.<region>.amazonaws.com`",
    about:
      'A host name of yours for the webhook URLs, with `domainCertificateArn`. Point it, by a CNAME or an alias record, to ' +
      "the output `DomainTarget`. API Gateway's own name is then switched off and answers 404, unless " +
      '`keepDefaultEndpoint` is set: do that first where providers send to it already.',
  } satisfies Setting<string, undefined>,
  domainCertificateArn: {
    rule: certificateArn,
    fallback: () => undefined,
    fallbackText: 'none, as there is no `domainName`',
    about:
      'The ACM certificate that covers `domainName`, issued and in the Region of the stack, which is deployed to that ' +
      'Region and no other.',
  } satisfies Setting<string, undefined>,
  keepDefaultEndpoint: constant(
    yesOrNo,
    false,
    "Whether API Gateway's own name goes on answering beside `domainName`. Set it while you move providers from one to " +
      'the other, and take it out when the access log has no request to the old name any more: a second name is a way ' +
      'around whatever stands before the first. Without a domain it changes nothing.',
  ),
  customerKeyArn: {
    rule: kmsKeyArn,
    fallback: () => undefined,
    fallbackText: 'a key that AWS owns',
    about:
      'Your own KMS key for the tables that the stack creates, in the same Region. Its key policy must let the ' +
      "account's IAM policies grant its use.",
  } satisfies Setting<string, undefined>,
} as const;

function constant<Value extends string | number | boolean>(
  rule: SettingRule<Value>,
  value: Value,
  about: string,
): Setting<Value> {
  return { rule, fallback: () => value, fallbackText: String(value), about };
}
