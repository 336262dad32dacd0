import { type DurationMs, type EpochMs, type EpochSeconds, hours, plus, toEpochSeconds } from './time.ts';

/** How long an applied event is remembered. */
export type DedupWindow = DurationMs | 'forever';

/** Taken off the window, so that a copy which is just inside it is still checked before the row can vanish. */
export const AGE_MARGIN = hours(1);

/** When the memory of an event that was touched at `at` may be deleted; `undefined` for never. */
export const expiryOf = (at: EpochMs, window: DedupWindow): EpochSeconds | undefined =>
  window === 'forever' ? undefined : toEpochSeconds(plus(at, window));

/**
 * Whether the memory of this event may have been deleted already, so that the absence of a row
 * proves nothing.
 *
 * @param occurredAt The provider's own time of the event. A time in the future counts as the receipt.
 */
export function mayBeForgotten(
  event: { readonly receivedAt: EpochMs; readonly occurredAt: EpochMs | undefined },
  now: EpochMs,
  window: DedupWindow,
): boolean {
  if (window === 'forever') return false;
  const born = Math.min(event.receivedAt, event.occurredAt ?? event.receivedAt);
  return now - born >= window - AGE_MARGIN;
}
