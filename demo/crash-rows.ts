/**
 * Where a process is killed: the lines of the crash table. Each has a call of the function to an AWS service, or
 * its answer, by which the moment is recognised.
 */
export const CRASH_ROWS = [
  'before the claim',
  'claimed, the answer lost',
  'in the handler, step not recorded',
  'in the handler, step recorded',
  'before the transaction',
  'transaction applied, the answer lost',
  'before the response',
  'after a failure, before queueing',
  'queued, before the release',
  'released, before the response',
] as const;

export type CrashRow = (typeof CRASH_ROWS)[number];

/** Rows that need a handler with a step. In the third it tells the failed attempt from a copy that is queued as well. */
export const NEEDS_STEP: readonly CrashRow[] = [
  'in the handler, step not recorded',
  'in the handler, step recorded',
  'after a failure, before queueing',
];

/** Rows that need an event that is worked on before the answer: of a queued one the message is the queue's. */
export const NEEDS_INLINE: readonly CrashRow[] = ['before the response', 'after a failure, before queueing'];

/** Rows that need a handler whose first attempt fails. */
export const NEEDS_FAILURE: readonly CrashRow[] = [
  'after a failure, before queueing',
  'queued, before the release',
  'released, before the response',
];
