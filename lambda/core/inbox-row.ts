import type { EpochMs, EpochSeconds } from './time.ts';

/**
 * - `claimed`: an attempt runs, or died; the lease tells.
 * - `processed`, `superseded`: finished. Nothing changes such a row before its window has passed.
 * - `failed`: the last attempt ended in an error; anybody may claim it.
 * - `parked`: automatic attempts ended. `cleared`: an operator wants it applied again.
 */
export type InboxStatus = 'claimed' | 'processed' | 'superseded' | 'failed' | 'parked' | 'cleared';

/** A finished step of an unfinished event. */
export interface StepRecord {
  /** What `run` returned; absent when it returned nothing. */
  readonly value?: unknown;
  readonly finishedAt: string;
}

/** One row of the inbox, read. */
export interface InboxRow {
  readonly key: string;
  readonly source: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: InboxStatus;
  readonly receivedAt: EpochMs;
  readonly claimToken: string;
  /** Present while `claimed`. */
  readonly leaseUntil: EpochMs | undefined;
  readonly attempts: number;
  readonly failures: number;
  readonly bodyHash: string;
  /** When the last attempt failed; present on failed and parked rows. */
  readonly failedAt: EpochMs | undefined;
  /** Absent on failed and parked rows, and when the window is `forever`. */
  readonly expiresAt: EpochSeconds | undefined;
  readonly steps: Readonly<Record<string, StepRecord>>;
}

export const isFinished = (row: InboxRow): boolean => row.status === 'processed' || row.status === 'superseded';
