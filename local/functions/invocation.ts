/** How one invocation ended. */
export type InvocationResult =
  /** The handler returned; `payload` is its result as JSON. */
  | { readonly kind: 'returned'; readonly payload: string }
  /** The handler threw, or its module did not load. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The process ended under the invocation. */
  | { readonly kind: 'crashed'; readonly reason: string }
  /** Killed at the function's timeout. */
  | { readonly kind: 'timed-out' }
  /** No instance was free and no more may be started. */
  | { readonly kind: 'throttled' };

/** Largest event and largest result of a synchronous invocation, in bytes of JSON.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** How long a module may take to load.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
export const INIT_TIMEOUT_MS = 10_000;
