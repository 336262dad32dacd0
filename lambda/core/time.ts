/**
 * Units of time as types, so that milliseconds cannot be compared with seconds.
 */

/** Milliseconds since the Unix epoch. What a clock returns and what core logic compares. */
export type EpochMs = number & { readonly __unit: 'epoch-ms' };

/** Whole seconds since the Unix epoch. Only DynamoDB TTL and signed timestamps use it. */
export type EpochSeconds = number & { readonly __unit: 'epoch-s' };

/** A length of time in milliseconds. */
export type DurationMs = number & { readonly __unit: 'duration-ms' };

export const epochMs = (value: number): EpochMs => value as EpochMs;
export const milliseconds = (value: number): DurationMs => value as DurationMs;
export const seconds = (value: number): DurationMs => (value * 1000) as DurationMs;
export const hours = (value: number): DurationMs => seconds(value * 3600);
export const days = (value: number): DurationMs => hours(value * 24);

/** Rounds up, so that a TTL never fires early. */
export const toEpochSeconds = (at: EpochMs): EpochSeconds => Math.ceil(at / 1000) as EpochSeconds;

/** `at` moved by `by`, which may be negative. */
export const plus = (at: EpochMs, by: number): EpochMs => (at + by) as EpochMs;

/** From `from` to `to`; negative when `to` comes first. */
export const between = (from: EpochMs, to: EpochMs): DurationMs => (to - from) as DurationMs;

/** ISO 8601 in UTC with milliseconds, for people. */
export const toIso = (at: EpochMs): string => new Date(at).toISOString();
