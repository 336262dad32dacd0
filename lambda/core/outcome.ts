/** How one event ended, in this invocation. `respond.ts` turns it into HTTP. */
import { cutText } from './cut-text.ts';

/** What is safe to log of an error: never a body, a header or a secret of ours. */
export interface FailureSummary {
  readonly name: string;
  /** Cut at 300 characters. */
  readonly message: string;
}

/** Why an event went to the events queue. */
export type QueuedBecause =
  /** Its source answers before it works. */
  | 'by-choice'
  | 'failed'
  | 'retry-later'
  /** A copy of it runs. */
  | 'in-progress'
  | 'claim-lost'
  | 'too-little-time';

/** Why automatic attempts ended. */
export type ParkReason =
  | 'max-attempts'
  /** As many attempts began, and the last ones ended without an error: they ended their process. */
  | 'crashes'
  /** The handler threw `Permanent`, or asked for what no commit can do. */
  | 'permanent'
  /** The handler asked for later for more than a day. */
  | 'retry-later-too-long'
  /** It may be older than the dedup window. */
  | 'expired'
  /** No source of that name is defined any more. */
  | 'unknown-source'
  /** It had a handler when it was queued, and none of its types has one now. */
  | 'no-handler'
  /** The body is not where the message says. */
  | 'body-gone'
  /** The delivery has no such event in it as the source's preset reads it now. */
  | 'malformed';

export type EventOutcome =
  | { readonly kind: 'processed'; readonly attempt: number }
  /** Finished before, or by a running copy while this one waited. */
  | { readonly kind: 'duplicate'; readonly bodyMismatch: boolean }
  | { readonly kind: 'superseded'; readonly attempt: number }
  /** No handler for this type. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'in-progress'; readonly retryAfterSeconds: number }
  /** A copy that was sent before the event was parked: nobody asked for another attempt by it. */
  | { readonly kind: 'already-parked' }
  /** Others took the row at every try. */
  | { readonly kind: 'claim-lost' }
  /** May be older than the dedup window, so it cannot be proven new; it waits for an operator unless the source drops such. */
  | { readonly kind: 'expired' }
  /** In the events queue, and `work` goes on with it. `attempt` 0: none was begun. */
  | {
      readonly kind: 'queued';
      readonly because: QueuedBecause;
      readonly attempt: number;
      readonly error?: FailureSummary;
    }
  /** No further attempt by itself: it is in the dead-letter queue. `attempt` 0: none was begun. */
  | {
      readonly kind: 'parked';
      readonly reason: ParkReason;
      readonly attempt: number;
      readonly error?: FailureSummary;
    }
  /** And not queued by this invocation. `attempt` 0: it failed outside of any attempt. */
  | { readonly kind: 'failed'; readonly attempt: number; readonly error: FailureSummary }
  | {
      readonly kind: 'retry-later';
      readonly attempt: number;
      readonly retryAfterSeconds: number;
      readonly error: FailureSummary;
    }
  | { readonly kind: 'too-little-time' }
  /** Of a batch: names no event, while others beside it do. `reason` is for the log alone. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** DynamoDB did not do its part, or the deployment is wrong; `reason` is an error code. */
  | { readonly kind: 'store-down'; readonly reason: string };

/** Why a delivery never came to its events. */
export type Rejection =
  | { readonly kind: 'unknown-source' }
  | { readonly kind: 'wrong-method' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unknown-encoding' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'unauthenticated'; readonly reason: string }
  | { readonly kind: 'no-secret'; readonly reason: string }
  /** A certificate or key of the provider could not be read. */
  | { readonly kind: 'key-unavailable'; readonly reason: string };

/** What a provider gets that only checked the endpoint; nothing of it was stored. */
export interface HandshakeAnswer {
  readonly kind: 'handshake';
  readonly status: 200 | 204;
  readonly contentType: 'text/plain; charset=utf-8' | 'application/json';
  readonly body: string;
}

/** The outcome of one event with the name it is remembered by. */
export interface EventEnding {
  readonly eventId: string;
  readonly outcome: EventOutcome;
}

export type DeliveryOutcome =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | HandshakeAnswer
  /** At least one. `isBatch` tells a batch of one from a single event. */
  | {
      readonly kind: 'handled';
      readonly events: readonly EventEnding[];
      readonly isBatch: boolean;
      readonly successStatus: number;
    };

/** Longest error name and message that is stored or logged, in characters. */
export const MAX_ERROR_CHARACTERS = 300;

/** Of anything that was thrown, also of an Error whose name or message is no text. */
export function summarise(error: unknown): FailureSummary {
  if (!(error instanceof Error)) return { name: typeof error, message: 'something that is not an Error was thrown' };
  const { name, message }: { readonly name: unknown; readonly message: unknown } = error;
  return {
    name: cutText(typeof name === 'string' ? name : typeof error, MAX_ERROR_CHARACTERS),
    message: cutText(typeof message === 'string' ? message : '', MAX_ERROR_CHARACTERS),
  };
}
