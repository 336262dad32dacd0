/**
 * What the flows need from the outside. `adapters/` has the implementations; tests use a manual
 * clock and the real DynamoDB adapter.
 */

import type { AttributeValue, Item } from './attribute-value.ts';
import type { CommitVerdict } from './commit-verdict.ts';
import type { InboundEvent, InboundRequest } from './event.ts';
import type { InboxRow, StepRecord } from './inbox-row.ts';
import type { EventOrder } from './order.ts';
import type { EventOutcome, FailureSummary, Rejection } from './outcome.ts';
import type { DurationMs, EpochMs, EpochSeconds } from './time.ts';

export interface Clock {
  now(): EpochMs;
  /** Resolves after `duration`. */
  sleep(duration: DurationMs): Promise<void>;
}

/** Randomness, apart so that tests can choose it. */
export interface Chance {
  /** A claim token: unique, unguessable. */
  token(): string;
  /** From 0 to below 1. */
  random(): number;
}

/** The life of the Lambda invocation that the work runs in. */
export interface Invocation {
  /** When Lambda kills it. */
  readonly endsAt: EpochMs;
  /** Aborts one second before that. */
  readonly signal: AbortSignal;
}

/**
 * The right to work on one event, proven by `token`. Every write after the claim demands it and
 * has the condition that the row still carries it.
 */
export interface Claim {
  readonly event: InboundEvent;
  readonly token: string;
  readonly attempts: number;
  readonly failures: number;
  /** Receipt of the first copy. */
  readonly receivedAt: EpochMs;
  readonly steps: Readonly<Record<string, StepRecord>>;
}

/** A claim that has yet to be written. */
export interface WantedClaim {
  readonly event: InboundEvent;
  readonly token: string;
  readonly leaseUntil: EpochMs;
  readonly expiresAt: EpochSeconds | undefined;
}

export type WriteAnswer =
  | { readonly kind: 'written'; readonly row: InboxRow }
  | { readonly kind: 'exists'; readonly row: InboxRow }
  /** There is no row any more. */
  | { readonly kind: 'gone' }
  /** A transaction holds the row at this moment: somebody is committing the event. */
  | { readonly kind: 'committing' };

/** One outbox message as the commit writes it. */
export interface OutboxMessage {
  readonly id: string;
  readonly topic: string;
  /** JSON text. */
  readonly payload: string;
  readonly group: string | undefined;
}

/** One of the handler's writes, as it will be sent. */
export interface EncodedWrite {
  readonly operation: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  /** As the handler named it: a name or an ARN. */
  readonly table: string;
  /** A `Put`'s whole item, or the key of the others. */
  readonly attributes: Item;
  /** The operation's whole input. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Everything that one commit writes besides the inbox row. */
export interface CommitRequest {
  readonly claim: Claim;
  readonly committedAt: EpochMs;
  readonly expiresAt: EpochSeconds | undefined;
  /** What the handler returned, as the row keeps it. */
  readonly result: AttributeValue | undefined;
  readonly order: EventOrder | undefined;
  readonly writes: readonly EncodedWrite[];
  readonly messages: readonly OutboxMessage[];
}

/** The item behind a handler's condition that did not hold. */
export interface RefusedWrite {
  readonly table: string;
  /** The key, or of a `Put` the item that was to be written. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly item: Readonly<Record<string, unknown>> | undefined;
}

export type CommitAnswer =
  | Exclude<CommitVerdict, { readonly kind: 'condition-failed' }>
  | { readonly kind: 'condition-failed'; readonly refused: RefusedWrite };

/** Sends the commit; every call sends exactly the same bytes, so a repetition is applied once. */
export type SendCommit = () => Promise<CommitAnswer>;

/** What a row counts: attempts begun, and those of them that ended in an error. */
export interface AttemptCounts {
  readonly attempts: number;
  readonly failures: number;
}

/** The fenced write's answer: done, or what the row says about the claim. */
export type FencedAnswer = 'written' | 'committed' | 'claim-lost';

/**
 * The memory of what was done. Every method makes one request and throws OncehookError
 * `STORE_THROTTLED`, `STORE_CONFLICT`, `STORE_UNAVAILABLE`, `STORE_MISCONFIGURED` or
 * `ROW_UNREADABLE` when it could not.
 */
export interface InboxStore {
  /** Writes a fresh row unless there is one. */
  putClaim(wanted: WantedClaim): Promise<WriteAnswer>;
  /** Replaces a finished row whose window has passed, unless it changed since it was seen. */
  replaceForgotten(wanted: WantedClaim, seen: InboxRow): Promise<WriteAnswer>;
  /** Claims a row that is there, unless it changed since it was seen. Keeps steps and receipt. */
  takeOver(wanted: WantedClaim, seen: InboxRow, counts: AttemptCounts): Promise<WriteAnswer>;
  /** A strongly consistent read. */
  read(key: string): Promise<InboxRow | undefined>;
  /** Records a finished step on the claimed row. @param step The record as the row keeps it. */
  recordStep(claim: Claim, name: string, step: AttributeValue): Promise<FencedAnswer>;
  /** Builds the commit; nothing is sent before the result is called. */
  prepareCommit(request: CommitRequest): SendCommit;
  /** Ends an event whose order was passed. */
  supersede(claim: Claim, at: EpochMs, expiresAt: EpochSeconds | undefined): Promise<FencedAnswer>;
  /** Gives the claim back after a failed attempt; anybody may claim the event from then on. */
  release(claim: Claim, at: EpochMs, error: FailureSummary, counts: AttemptCounts): Promise<FencedAnswer>;
  /** Ends automatic attempts; the event is in the dead-letter queue by then. */
  park(claim: Claim, at: EpochMs, error: FailureSummary, counts: AttemptCounts): Promise<FencedAnswer>;
}

/** A source's signing secrets. */
export type SecretAnswer =
  | { readonly kind: 'found'; readonly secrets: readonly string[] }
  /** `reason` names what is wrong for an operator, never a value. */
  | { readonly kind: 'none'; readonly reason: string };

export interface SecretSource {
  /**
   * The secrets of a source, current one first, from a cache.
   *
   * @param after `mismatch` asks for a fresh read because nothing matched; it is granted only so often.
   */
  secretsOf(source: string, after: 'start' | 'mismatch'): Promise<SecretAnswer>;
}

/** What logs and metrics may know of an event. */
export interface EndedEvent {
  readonly source: string;
  readonly eventId: string;
  /** The most specific one; absent where an item of a batch has none. */
  readonly type: string | undefined;
  /** Which secret of the source the delivery was verified with, 0 for the current one; absent for a queued event. */
  readonly secretIndex: number | undefined;
}

/** What one attempt took. */
export interface AttemptMeasures {
  /** From a worker that died, or froze. */
  readonly fromLapsed: boolean;
  readonly handler: DurationMs;
  /** From the first sending of the transaction to its last answer; absent when there was nothing to send. */
  readonly commit: DurationMs | undefined;
  /** How often the commit was put off by a conflict or by throttling. */
  readonly conflicts: number;
}

/** What happened, for logs and metrics. Implementations never see a body, a header or a secret. */
export interface Telemetry {
  eventEnded(event: EndedEvent, outcome: EventOutcome, duration: DurationMs): void;
  deliveryRejected(request: InboundRequest, rejection: Rejection, isSource: boolean): void;
  /** Before the outcome is told; there is none for an attempt that never came to its handler. */
  attemptMeasured(source: string, measures: AttemptMeasures): void;
  /** Something an operator should see, with fields that identify and nothing else. */
  warn(message: string, fields: Readonly<Record<string, string | number | undefined>>): void;
}
