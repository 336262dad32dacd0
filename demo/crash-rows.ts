/**
 * Where a process is killed: the lines of the crash table that have no queue in them. Each has a
 * call of the function to an AWS service, or its answer, by which the moment is recognised.
 */
export const CRASH_ROWS = [
  'before the claim',
  'claimed, the answer lost',
  'in the handler, step not recorded',
  'in the handler, step recorded',
  'before the transaction',
  'transaction applied, the answer lost',
  'before the response',
  'after a failure, before the release',
  'released, before the response',
] as const;

export type CrashRow = (typeof CRASH_ROWS)[number];

/** Rows that need a handler with a step. */
export const NEEDS_STEP: readonly CrashRow[] = ['in the handler, step not recorded', 'in the handler, step recorded'];

/** Rows that need a handler whose first attempt fails. */
export const NEEDS_FAILURE: readonly CrashRow[] = [
  'after a failure, before the release',
  'released, before the response',
];
