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
  /** Whole seconds: the longest wait after the first failed attempt; it doubles with each. */
  retryAfterSeconds: 'ONCEHOOK_RETRY_AFTER_SECONDS',
  /** Attempts after which an event is parked. */
  maxAttempts: 'ONCEHOOK_MAX_ATTEMPTS',
  eventsQueueUrl: 'ONCEHOOK_EVENTS_QUEUE_URL',
  eventsDlqUrl: 'ONCEHOOK_EVENTS_DLQ_URL',
  /** Bucket for bodies that are too large for a message. */
  bodiesBucket: 'ONCEHOOK_BODIES_BUCKET',
  outboxQueueUrl: 'ONCEHOOK_OUTBOX_QUEUE_URL',
  /** `true` when the outbox queue is a FIFO queue, `false` otherwise. */
  outboxFifo: 'ONCEHOOK_OUTBOX_FIFO',
  outboxDlqUrl: 'ONCEHOOK_OUTBOX_DLQ_URL',
  /** The setting `deliverTo` as JSON. */
  deliverTargets: 'ONCEHOOK_DELIVER_TARGETS',
  deliveriesQueueUrl: 'ONCEHOOK_DELIVERIES_QUEUE_URL',
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
 * Every metric there is. Counts are per event, `Rejected` per delivery and per item of a batch that names no event.
 * `Received` is every event that was verified and has a name, once however often it is worked on; `Failed` is every
 * attempt that failed, by itself or because a service did. `BodyMismatch` is a duplicate whose bytes are not those of
 * the event it is a copy of; `Takeovers` is an attempt that took up a claim which had ended without a word;
 * `CommitConflicts` is a commit that was sent again because of another transaction. What ends in `Ms` is a time.
 */
export const METRICS = {
  received: 'Received',
  processed: 'Processed',
  duplicates: 'Duplicates',
  inProgress: 'InProgress',
  superseded: 'Superseded',
  expired: 'Expired',
  queued: 'Queued',
  failed: 'Failed',
  parked: 'Parked',
  rejected: 'Rejected',
  bodyMismatch: 'BodyMismatch',
  takeovers: 'Takeovers',
  commitConflicts: 'CommitConflicts',
  handlerMs: 'HandlerMs',
  commitMs: 'CommitMs',
  consumed: 'Consumed',
  consumerDuplicates: 'ConsumerDuplicates',
  delivered: 'Delivered',
  deliveryFailed: 'DeliveryFailed',
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

/**
 * What `oncehook --stack` asks of AWS, by what it asks it of; the stack's operator policy grants this and nothing more.
 * An SQS batch needs the action of a single message.
 */
export const OPERATOR_ACTIONS = {
  stack: ['cloudformation:DescribeStacks'],
  inbox: [
    'dynamodb:GetItem',
    'dynamodb:Scan',
    'dynamodb:UpdateItem',
    'dynamodb:DescribeTable',
    'dynamodb:DescribeTimeToLive',
    'dynamodb:DescribeContinuousBackups',
  ],
  attentionIndex: ['dynamodb:Query'],
  outbox: [
    'dynamodb:GetItem',
    'dynamodb:Scan',
    'dynamodb:UpdateItem',
    'dynamodb:DescribeTable',
    'dynamodb:DescribeContinuousBackups',
  ],
  sequences: ['dynamodb:DescribeTable', 'dynamodb:DescribeContinuousBackups'],
  /** The events, outbox and deliveries queues, to which dead letters go back. */
  queues: ['sqs:SendMessage'],
  /** Their DLQs. */
  deadLetters: ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  bodies: ['s3:GetObject'],
  /** Of the bucket itself: without it a body that is gone looks like one that may not be read. */
  bodiesBucket: ['s3:ListBucket'],
  signingSecret: ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
  workFunction: ['lambda:GetFunctionConfiguration'],
  /** These have no resource: who may ask them at all may ask them of the whole account. */
  account: ['cloudwatch:GetMetricData', 'lambda:ListEventSourceMappings'],
} as const;
