import type { DurationMs } from '../core/time.ts';
import type { CodeScheme } from './code-scheme.ts';
import type { Handshake } from './handshake.ts';
import type { Scheme } from './scheme.ts';

/** Where in a delivery a value is: a header (lower-case name), or a path into the parsed body. */
export type Location = { readonly header: string } | { readonly json: readonly string[] };

/** Where the event's own time is, of several locations the first that has one, and how it is written. */
export interface EventTime {
  readonly from: Location | readonly Location[];
  readonly unit: 's' | 'ms' | 'iso8601';
}

/** A name of an event: one value, or several that only together tell it from others. */
export type IdLocation = Location | readonly Location[];

/** What tells a newer state of a resource from an older one. */
export interface OrderHint {
  readonly from: Location;
  /** `version` is a number that grows by itself; the others are times, of which two may be equal. */
  readonly unit: 'version' | 's' | 'ms' | 'iso8601';
}

/** How the body becomes JSON. Preset and signed bytes decide, never the content type, which nobody signs. */
export type BodyFormat =
  /** JSON, whatever the content type says. */
  | 'json'
  /** A form with one field `payload` where the text begins with `payload=`, as no JSON does; else JSON. */
  | 'json-or-form-payload'
  /** JSON where the text begins as a JSON object or array does, else a form: an object of texts, a repeated field a list. */
  | 'json-or-form';

/**
 * A provider, as data: how its deliveries are verified, where identity is, and how it
 * behaves. Every fact has its source in the preset's docstring.
 */
export interface ProviderPreset<AScheme extends Scheme | CodeScheme = Scheme> {
  /** Lower case, for messages and for choosing a sample. */
  readonly name: string;
  readonly scheme: AScheme;
  readonly body: BodyFormat;
  /** The first location that holds a non-blank value is the event id; none means a hash of the body. */
  readonly id: readonly IdLocation[];
  /**
   * What names an event without an id. `body`: equal bodies are one event. `delivery`: every delivery is
   * one, for senders whose equal bodies say again and again that something changed.
   *
   * @default 'body'
   */
  readonly unnamed?: 'body' | 'delivery';
  /**
   * Most specific first; each entry is one or more locations whose values are joined with
   * a dot. An entry of which a part is absent is passed over.
   */
  readonly type: readonly (readonly Location[])[];
  /** The type of an event that says none. Without it such an event is malformed. */
  readonly defaultType?: string;
  readonly eventTime?: EventTime;
  /**
   * Path of the array of events in the body; absent when a delivery is one event. `[]` is the body itself,
   * and `*` every entry of the array that is there.
   */
  readonly batch?: readonly string[];
  /**
   * Paths in one entry of the batch to arrays whose entries are events of their own: the entry is repeated
   * for each, with that one alone in its array.
   */
  readonly explode?: readonly (readonly string[])[];
  /** For the author of an `order` rule; nothing is ordered by it. */
  readonly orderHint?: OrderHint;
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
  /** How the provider checks that the endpoint is ours; a request that fits one is answered and is no event. */
  readonly handshake?: readonly Handshake[];
  /** What an event of this source says of itself; one that says otherwise is refused as malformed. */
  readonly only?: { readonly json: readonly string[]; readonly is: boolean; readonly otherwise: string };
  /** Whether it takes events of the provider's test mode alone, which a stage for real events should not. */
  readonly testMode?: boolean;
}

/** A preset whatever its scheme is: data, or code where no data can say it. */
export type AnyPreset = ProviderPreset<Scheme | CodeScheme>;

/** Event types that an editor offers for the `on` of a source; any other text is a type as well. No preset holds them. */
export interface KnownTypes<Type extends string> {
  readonly knownTypes?: Type;
}
