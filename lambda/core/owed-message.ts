import type { DurationMs, EpochMs } from './time.ts';
import { milliseconds } from './time.ts';

/**
 * - `new`: as the commit wrote it; the stream tells `dispatch`.
 * - `retry`: could not be sent; `sweep` tries again when it is due.
 * - `stuck`: will not be tried again by itself.
 */
export type OwedState = 'new' | 'retry' | 'stuck';

/** One outbox message that is still owed: a row of the outbox table, read. */
export interface OwedMessage {
  /** `<source>#<event id>#<n>`; consumers deduplicate by it. */
  readonly id: string;
  readonly topic: string;
  /** JSON text. */
  readonly payload: string;
  readonly group: string | undefined;
  readonly createdAt: EpochMs;
  readonly dueAt: EpochMs;
  readonly state: OwedState;
  /** Sendings that failed. */
  readonly attempts: number;
}

/** After so many failed sendings a message is `stuck`: more than half a day with the longest waits. */
export const MAX_SEND_ATTEMPTS = 20;

const FIRST_WAIT = milliseconds(5000);
const LONGEST_WAIT = milliseconds(3_600_000);

/** How long to wait after the given number of failed sendings: doubling, an hour at most. */
export const waitAfter = (attempts: number): DurationMs =>
  milliseconds(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1)));

/** The source of a message, by its id. A source has no `#`. */
export const sourceOfMessage = (id: string): string => id.slice(0, Math.max(0, id.indexOf('#')));
