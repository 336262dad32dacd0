import { requestAborted } from './errors.ts';

export type CommandName =
  | 'CreateTableCommand'
  | 'PutItemCommand'
  | 'UpdateItemCommand'
  | 'DeleteItemCommand'
  | 'GetItemCommand'
  | 'TransactWriteItemsCommand'
  | 'ScanCommand'
  | 'QueryCommand';

/** One request as it was sent. */
export interface Call {
  readonly name: CommandName;
  /** A copy of the command's input. */
  readonly input: object;
}

/** What a test does to one request. All three may be given: wait, then refuse, else apply, then lose the answer. */
export interface Interference {
  /** The request does not reach the store before this resolves. */
  readonly wait?: Promise<void>;
  /** Thrown instead of applying the request. */
  readonly before?: Error;
  /** Thrown after the request was applied: its answer is lost. */
  readonly after?: Error;
}

/** Decides on one request; `n` counts the requests sent to this store from 1. */
export type Interceptor = (request: Call & { readonly n: number }) => Interference | undefined;

/** Waits for the barrier, or until the caller gives up. @throws AbortError */
export async function untilReleased(barrier: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return barrier;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(requestAborted());
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    if (signal.aborted) throw requestAborted();
    await Promise.race([barrier, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
