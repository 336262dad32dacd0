import type { EpochMs } from '../../core/time.ts';

/** What a sample is made for. */
export interface SampleEvent {
  readonly id: string;
  readonly type: string;
  readonly now: EpochMs;
}

/** Builds the body of one event, before it is written. Invented data throughout. */
export type BuildSample = (event: SampleEvent) => Readonly<Record<string, unknown>> | readonly unknown[];

/** The samples of one provider. */
export interface ProviderSamples {
  readonly types: Readonly<Record<string, BuildSample>>;
  /** For every other type, where a body without particulars makes sense. */
  readonly generic?: BuildSample;
  /** Whether bodies are written as a form, of which every value is a text. @default false, as JSON */
  readonly form?: boolean;
  /** An id of the form this provider gives. @param uuid a fresh one */
  readonly newId: (uuid: string, type: string) => string;
}

/** Whole seconds that have begun, as providers count them. */
export const toSeconds = (now: EpochMs): number => Math.floor(now / 1000);
