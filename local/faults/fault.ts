import type { Caller } from '../gateway/callers.ts';
import type { ServiceCall } from '../gateway/gateway-service.ts';

/** One call of a function, as rules and records see it. */
export interface Call extends ServiceCall {
  readonly functionKey: string;
  readonly instanceId: string;
  /** The invocation it belongs to; `undefined` for one made while the module loads. */
  readonly invocationId: string | undefined;
  /** Which call it is, from 1: of all, of its instance, of its invocation. */
  readonly n: { readonly total: number; readonly ofInstance: number; readonly ofInvocation: number };
}

/** Milliseconds, or until a promise resolves. */
export type Wait = number | Promise<unknown>;

/** What befalls one call. */
export type Fault =
  /** Not applied, and answered with an error of the service; `code` such as `InternalServerError`. */
  | { readonly kind: 'refuse'; readonly code: string; readonly message?: string }
  /** Not applied for want of capacity. `at` cancels a transaction for the item at that place, from 0. */
  | { readonly kind: 'throttle'; readonly at?: number }
  /** Not applied because a transaction holds the item, in a transaction that at place `at`, from 0. */
  | { readonly kind: 'conflict'; readonly at?: number }
  /**
   * Of a batch, the entries at these places, from 0, are not applied and answered in `Failed`, by no fault of
   * the sender; `code` is `InternalError` unless given. Those of `unanswered` are applied and in neither list.
   */
  | {
      readonly kind: 'partial';
      readonly failed: readonly number[];
      readonly code?: string;
      readonly unanswered?: readonly number[];
    }
  /** Not applied, and the connection cut. */
  | { readonly kind: 'cut' }
  /** Applied, if need be after its sender has given up on it or died. */
  | { readonly kind: 'delay-before'; readonly wait: Wait }
  /** Applied at once and answered late. */
  | { readonly kind: 'delay-after'; readonly wait: Wait }
  /** Applied, and the connection cut in the place of an answer. */
  | { readonly kind: 'drop-answer' }
  /** The instance is killed, and the call not applied. */
  | { readonly kind: 'kill-before' }
  /** The call is applied, and then the instance killed. */
  | { readonly kind: 'kill-after' };

export type FaultKind = Fault['kind'];

export const FAULT_KINDS = [
  'refuse',
  'throttle',
  'conflict',
  'partial',
  'cut',
  'delay-before',
  'delay-after',
  'drop-answer',
  'kill-before',
  'kill-after',
] as const satisfies readonly FaultKind[];

export type FaultCounts = Readonly<Record<FaultKind, number>>;

/** Decides on one call. It is asked about every call in the order in which they arrive. */
export type FaultSource = (call: Call) => Fault | undefined;

/** An instance that a fault has killed. */
export interface Killed {
  readonly call: Call;
  readonly when: 'before' | 'after';
  readonly pid: Caller['pid'];
}
