import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** One entry of a transaction in the document client's shape: `Put`, `Update`, `Delete` or `ConditionCheck`. */
export type TransactWriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** What an outbox message may carry. `bigint` keeps every digit of an integer beyond 2^53. */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What a handler may return: stored on the inbox row, at most 4 KB. */
export type HandlerResult = { readonly [key: string]: unknown };

/** One event as its handler sees it. */
export interface WebhookEvent<Body = unknown> {
  /** The name of the source in `sources.ts`. */
  readonly source: string;
  /** The provider's event id, or `body_` and the SHA-256 of the delivery where it has none. */
  readonly id: string;
  /** The most specific type, such as `invoice.paid` or `issues.opened`. */
  readonly type: string;
  /** The parsed body. Integers beyond 2^53 are `bigint`. Not validated unless the type has a `schema`. */
  readonly body: Body;
  /** The delivery as it came over the wire, before any inflating. */
  readonly rawBody: Uint8Array;
  /** Lower-case names; only headers that the provider preset lists, never one that authenticates. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the first copy arrived, ISO 8601 UTC. */
  readonly receivedAt: string;
  /** When the provider says it happened, ISO 8601 UTC, where it says so. */
  readonly occurredAt: string | undefined;
}

/** How {@link Work.step} finds out what an earlier attempt did. */
export interface StepOptions<T> {
  /**
   * Asks the remote side whether it was done already; `undefined` means it was not.
   * For APIs without idempotency keys, or whose keys expire before a late redrive.
   */
  readonly alreadyDone?: (key: string) => Promise<T | undefined>;
  /**
   * `hash`, the default: SHA-256 hex of source, event id and step name.
   * `event-id`: the event id itself, for APIs that want it.
   */
  readonly key?: 'hash' | 'event-id';
}

/**
 * Everything a handler can do. Nothing of it is sent before the handler has returned, and nothing of
 * it can be used after that: await everything you begin.
 */
export interface Work {
  /**
   * Adds a write to the commit.
   *
   * A handler that read before it writes puts a condition on what it read: the commit
   * may be sent again.
   *
   * @throws OncehookError `INVALID_WORK` for a second write to one item, a write to one of
   * Oncehook's own tables, too many items, or a value DynamoDB cannot store; the message
   * names the field.
   */
  write(item: TransactWriteItem): void;
  /**
   * Adds an outbox message to the commit; it is sent after it.
   *
   * @param group Messages of one group are dispatched one after another.
   * @throws OncehookError `INVALID_WORK` for a payload that is not JSON, naming the field, or for a message whose row
   * would be over DynamoDB's 400 KB, naming its topic and bytes.
   */
  emit(topic: string, payload: JsonValue, options?: { readonly group?: string }): void;
  /**
   * Does something outside the transaction, and remembers that it was done: the result
   * is recorded on the claimed row and returned on the next attempt instead of running again.
   *
   * @param name Unique within the handler; part of the idempotency key.
   * @param run Gets a key that is the same on every attempt of this event and step.
   * The result comes back as the next attempt would get it: a small `bigint` as a `number`.
   *
   * @throws whatever `run` throws; OncehookError `INVALID_WORK` for a name used twice or a
   * result that cannot be stored.
   */
  step<T>(name: string, run: (idempotencyKey: string) => Promise<T>, options?: StepOptions<T>): Promise<T>;
  /** A name for a file or object that is the same on every attempt, so that a rerun overwrites. */
  objectKey(name: string): string;
  /** Aborts one second before the invocation ends. A handler that goes on after it is killed. */
  readonly signal: AbortSignal;
  /** Counts from 1; more than 1 means that an earlier attempt did not end in a commit. */
  readonly attempt: number;
}

/**
 * What a handler of events or of messages gives back: what to remember, or nothing.
 *
 * `void` is in it for arrows of one expression, such as `async () => work.emit(…)`. Their type is `Promise<void>`, which
 * is not assignable to `Promise<undefined>`; without it authors had to write braces or a `return` for nothing.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: the doc comment says why void is meant
export type HandlerAnswer = Promise<HandlerResult | undefined | void>;

/** Applies one event: asks for writes and messages, and returns what to remember, or nothing. */
export type Handler<Body = unknown> = (event: WebhookEvent<Body>, work: Work) => HandlerAnswer;

/** Makes an event type apply in order: an event whose sequence is not above the last applied one is dropped. */
export interface OrderRule<Body = unknown> {
  /** What the sequence belongs to, for example an account id. */
  readonly resource: (event: WebhookEvent<Body>) => string;
  /** A whole number of at most 38 digits; as a string of digits it is compared as a number. */
  readonly sequence: (event: WebhookEvent<Body>) => number | bigint | string;
  /** What to do with an equal sequence of another event. Use `apply` for timestamps of one second. @default 'drop' */
  readonly tie?: 'drop' | 'apply';
}

/** A handler with rules about its events. */
export interface EventRule<Body = unknown> {
  readonly handle: Handler<Body>;
  readonly order?: OrderRule<Body>;
  /** Checked before the handler runs; any Standard Schema, for example zod or valibot. */
  readonly schema?: StandardSchemaV1<unknown, Body>;
}
