import type { EpochMs } from '../core/time.ts';
import type { RejectionReason, SignedTimestamp } from './scheme.ts';

/** 15 digits are exact in a double; today's milliseconds have 13. */
const MAX_TIMESTAMP_DIGITS = 15;

/**
 * Reads a timestamp strictly: ASCII digits only, no sign, blank, fraction or exponent, or a whole ISO 8601
 * date and time with its zone. `parseInt` would read `1614265330abc` as a number that nobody signed.
 *
 * @returns the number in the timestamp's own unit, milliseconds for ISO 8601, or `undefined`.
 */
export function parseTimestamp(unit: SignedTimestamp['unit'], text: string): number | undefined {
  if (unit === 'iso8601') return ISO_TIME.test(text) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : undefined;
  return text.length <= MAX_TIMESTAMP_DIGITS && /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** Neither end can give a character to what is signed beside it, or take one. */
const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$/;

/**
 * Compares an authentic timestamp with the clock; both limits are inclusive. A timestamp in
 * seconds is compared with whole seconds, as the senders count them.
 *
 * @param value In the unit of `timestamp`.
 * @param toleranceSeconds Replaces both limits of the scheme; 0 is a tolerance of no seconds.
 * @returns why it is stale, or `undefined` when it is fresh.
 */
export function findStaleness(
  timestamp: SignedTimestamp,
  value: number,
  nowMs: EpochMs,
  toleranceSeconds: number | undefined,
): Extract<RejectionReason, 'timestamp_too_old' | 'timestamp_too_new'> | undefined {
  const perSecond = timestamp.unit === 's' ? 1 : 1000;
  const now = timestamp.unit === 's' ? Math.floor(nowMs / 1000) : nowMs;
  const age = now - value;
  const past = (toleranceSeconds ?? timestamp.pastSeconds ?? Infinity) * perSecond;
  const future = (toleranceSeconds ?? timestamp.futureSeconds ?? Infinity) * perSecond;
  // Asked this way round, a limit or a clock that is not a number refuses.
  if (!(age <= past)) return 'timestamp_too_old';
  if (!(-age <= future)) return 'timestamp_too_new';
  return undefined;
}
