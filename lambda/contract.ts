/**
 * The names that the functions and the stack must agree on: environment variables,
 * table attributes, the index, log fields and metrics. The stack in `lib/` and the
 * code in `lambda/` both read them here, so neither can drift from the other.
 */

/** Environment variables the stack sets and `entry/` reads. */
export const ENV = {
  inboxTable: 'ONCEHOOK_INBOX_TABLE',
  outboxTable: 'ONCEHOOK_OUTBOX_TABLE',
  sequencesTable: 'ONCEHOOK_SEQUENCES_TABLE',
  /** Id or ARN of the Secrets Manager secret with every source's signing secrets. */
  signingSecretId: 'ONCEHOOK_SIGNING_SECRET_ID',
  /** Whole seconds, or `forever`. */
  dedupWindowSeconds: 'ONCEHOOK_DEDUP_WINDOW_SECONDS',
  /** Bytes of a decoded body. */
  maxBodyBytes: 'ONCEHOOK_MAX_BODY_BYTES',
  /** Milliseconds a copy waits for the running one. */
  joinMs: 'ONCEHOOK_JOIN_MS',
  outboxQueueUrl: 'ONCEHOOK_OUTBOX_QUEUE_URL',
  /** `true` when the outbox queue is a FIFO queue, `false` otherwise. */
  outboxFifo: 'ONCEHOOK_OUTBOX_FIFO',
  /** Whole seconds for which the stream may have a message to itself before the sweep takes it. */
  sweepAfterSeconds: 'ONCEHOOK_SWEEP_AFTER_SECONDS',
} as const;

/** The environment variable that holds the name of one of the user's tables. */
export const userTableVariable = (key: string): string => `ONCEHOOK_TABLE_${key}`;

/** Attribute names of the inbox table. DESIGN section 4 has their meaning. */
export const INBOX = {
  partitionKey: 'id',
  ttlAttribute: 'expiresAt',
  attentionIndex: 'attention',
  attentionAttribute: 'attention',
} as const;

/** Shards of one attention status, so that an outage cannot heat one index partition. */
export const ATTENTION_SHARDS = 8;

/** Key of the outbox table, and what a row has in `state` when the commit writes it. */
export const OUTBOX = { partitionKey: 'id', stateAttribute: 'state', newState: 'new' } as const;

/** Key of the sequences table. */
export const SEQUENCES = { partitionKey: 'resource' } as const;

/** The route of the HTTP API; `{source}` is the last part of a webhook's URL. */
export const WEBHOOK_ROUTE = '/webhooks/{source}';

/** CloudWatch namespace of every metric. */
export const METRIC_NAMESPACE = 'Oncehook';

/** The only dimension a metric has. Each metric is also emitted once without it, as the total. */
export const SOURCE_DIMENSION = 'source';

/**
 * Metrics the receive function emits. Counts are per event, `Rejected` per delivery and per item of a
 * batch that names no event.
 */
export const METRICS = {
  received: 'Received',
  processed: 'Processed',
  duplicates: 'Duplicates',
  failed: 'Failed',
  rejected: 'Rejected',
  outboxDispatched: 'OutboxDispatched',
  outboxStuck: 'OutboxStuck',
  outboxLagMs: 'OutboxLagMs',
  outboxOldestMs: 'OutboxOldestMs',
} as const;

export type MetricName = (typeof METRICS)[keyof typeof METRICS];

/** Fields of the one log line per outcome; the Logs Insights queries name them too. */
export const LOG_FIELDS = {
  message: 'message',
  outcome: 'outcome',
  source: 'source',
  eventId: 'eventId',
  eventType: 'eventType',
  attempt: 'attempt',
  durationMs: 'durationMs',
  reason: 'reason',
  /** Place of the secret that the signature matched, 0 for the current one: who still signs with the old one? */
  secretIndex: 'secretIndex',
} as const;

/** The `message` of an outcome line. */
export const OUTCOME_MESSAGE = 'event outcome';

/** Response header that repeats the outcome. */
export const OUTCOME_HEADER = 'x-oncehook-outcome';
