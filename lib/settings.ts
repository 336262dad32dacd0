import type { Sources } from './declarations.ts';
import { type DedupWindowDays, defaultDedupWindowDays, windowProblems } from './dedup-window.ts';
import { Refusal } from './refusal.ts';
import { either, kmsKeyArn, oneNumberOf, oneWordOf, type SettingRule, wholeNumber, yesOrNo } from './setting-rules.ts';

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

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Every setting, in the order of the documentation. */
export const SETTINGS = {
  stage: constant(
    oneWordOf(STAGES),
    'dev',
    "Part of the stack's name, so that both stages fit one account. `prod` keeps its tables, queues, secret and " +
      'logs when the stack is deleted and protects the tables from deletion; `dev` removes everything.',
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
  dispatchOutbox: constant(
    yesOrNo,
    false,
    'Whether messages are sent: `true` adds the outbox queue, the functions that fill it and their alarms. With `false` ' +
      'the messages stay in the outbox table, committed with their events, for a consumer of your own that reads it.',
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
  logRetentionDays: constant(
    oneNumberOf(LOG_RETENTION_DAYS),
    30,
    "Days that log lines are kept: the functions' and the access log.",
  ),
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
  customerKeyArn: {
    rule: kmsKeyArn,
    fallback: () => undefined,
    fallbackText: 'a key that AWS owns',
    about:
      'Your own KMS key for the tables that the stack creates, in the same Region. Its key policy must let the ' +
      "account's IAM policies grant its use.",
  } satisfies Setting<string, undefined>,
} as const;

/** The settings of one stack, every one of them checked. Units are in the names. */
export interface Settings {
  readonly stage: Stage;
  readonly dedupWindowDays: DedupWindowDays;
  readonly receiveTimeoutSeconds: number;
  readonly receiveMemoryMb: number;
  readonly maxBodyBytes: number;
  readonly joinMs: number;
  readonly dispatchOutbox: boolean;
  readonly outboxFifo: boolean;
  readonly sweepAfterSeconds: number;
  readonly logRetentionDays: number;
  readonly throttleRatePerSecond: number;
  readonly throttleBurst: number;
  readonly customerKeyArn: string | undefined;
}

/**
 * Reads the settings from CDK context: `cdk.json`, or `-c name=value`, which wins.
 *
 * A context key of letters and digits alone is a setting of ours, and refused if it is not known:
 * a misspelt one would be without effect. CDK's own keys all hold a colon, a slash, an `@` or a
 * hyphen, and so must a key of yours.
 *
 * @throws Refusal with every problem: a value that is not allowed, an unknown name, a dedup window
 * shorter than a source's retry horizon.
 */
export function readSettings(context: Readonly<Record<string, unknown>>, sources: Sources): Settings {
  const problems: string[] = unknownNames(context).map(
    (name) => `unknown setting ${name}; known are ${Object.keys(SETTINGS).join(', ')}`,
  );

  const read = <Value, Default>(name: keyof Settings, setting: Setting<Value, Default>): Value | Default => {
    const given = context[name];
    const value = given === undefined ? undefined : setting.rule.parse(given);
    if (given !== undefined && value === undefined) {
      problems.push(`${name} must be ${setting.rule.allowed}; it is ${JSON.stringify(given)}`);
    }
    return value ?? setting.fallback(sources);
  };

  const settings: Settings = {
    stage: read('stage', SETTINGS.stage),
    dedupWindowDays: read('dedupWindowDays', SETTINGS.dedupWindowDays),
    receiveTimeoutSeconds: read('receiveTimeoutSeconds', SETTINGS.receiveTimeoutSeconds),
    receiveMemoryMb: read('receiveMemoryMb', SETTINGS.receiveMemoryMb),
    maxBodyBytes: read('maxBodyBytes', SETTINGS.maxBodyBytes),
    joinMs: read('joinMs', SETTINGS.joinMs),
    dispatchOutbox: read('dispatchOutbox', SETTINGS.dispatchOutbox),
    outboxFifo: read('outboxFifo', SETTINGS.outboxFifo),
    sweepAfterSeconds: read('sweepAfterSeconds', SETTINGS.sweepAfterSeconds),
    logRetentionDays: read('logRetentionDays', SETTINGS.logRetentionDays),
    throttleRatePerSecond: read('throttleRatePerSecond', SETTINGS.throttleRatePerSecond),
    throttleBurst: read('throttleBurst', SETTINGS.throttleBurst),
    customerKeyArn: read('customerKeyArn', SETTINGS.customerKeyArn),
  };
  problems.push(...windowProblems(settings.dedupWindowDays, sources));

  if (problems.length > 0) throw new Refusal(problems);
  return settings;
}

const unknownNames = (context: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(context).filter((name) => /^[A-Za-z0-9]+$/.test(name) && !Object.hasOwn(SETTINGS, name));

function constant<Value extends string | number | boolean>(
  rule: SettingRule<Value>,
  value: Value,
  about: string,
): Setting<Value> {
  return { rule, fallback: () => value, fallbackText: String(value), about };
}
