import type { DurationMs } from '../core/time.ts';
import type { Scheme } from './scheme.ts';

/** Where in a delivery a value is: a header (lower-case name), or a path into the parsed body. */
export type Location = { readonly header: string } | { readonly json: readonly string[] };

/** Where the event's own time is, and how it is written. */
export interface EventTime {
  readonly from: Location;
  readonly unit: 's' | 'ms' | 'iso8601';
}

/** How the body becomes JSON. Preset and signed bytes decide, never the content type, which nobody signs. */
export type BodyFormat =
  /** JSON, whatever the content type says. */
  | 'json'
  /** A form with one field `payload` where the text begins with `payload=`, as no JSON does; else JSON. */
  | 'json-or-form-payload';

/**
 * A provider, as data: how its deliveries are verified, where identity is, and how it
 * behaves. Every fact has its source in the preset's docstring.
 */
export interface ProviderPreset {
  /** Lower case, for messages and for choosing a sample. */
  readonly name: string;
  readonly scheme: Scheme;
  readonly body: BodyFormat;
  /** The first location that holds a non-blank value is the event id; none means a hash of the body. */
  readonly id: readonly Location[];
  /**
   * Most specific first; each entry is one or more locations whose values are joined with
   * a dot. An entry of which a part is absent is passed over.
   */
  readonly type: readonly (readonly Location[])[];
  readonly eventTime?: EventTime;
  /** Path of the array of events in the body; absent when a delivery is one event. `[]` is the body itself. */
  readonly batch?: readonly string[];
  /** Headers a handler may see, lower case. Never one that authenticates. */
  readonly headers: readonly string[];
  /** Status of a successful answer. */
  readonly successStatus: 200 | 204;
  /** How long the provider waits for an answer, where it says so. */
  readonly deadline: DurationMs | undefined;
  /**
   * Over how long the provider sends one event again by itself; where the event carries no time
   * of its own, also at the press of a button. A later copy that shows its age is told by that.
   */
  readonly retryHorizon: DurationMs;
  /** Whether the provider sends again by itself when it sees no success. */
  readonly redelivers: boolean;
}
