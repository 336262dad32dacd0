/** What the verbs need from the outside; `outside/` has the implementations. */

/** The place where a person, or a script, reads and types. */
export interface Terminal {
  /** One line of the result, to standard output. */
  print(line: string): void;
  /** One line beside the result, to standard error. */
  note(line: string): void;
  /** Bytes of the result as they are, to standard output. */
  write(bytes: Uint8Array): Promise<void>;
  /** Whether a person types at standard input. */
  readonly isInteractive: boolean;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  /**
   * One line typed by a person, not shown while it is typed.
   *
   * @throws Refusal when it is broken off.
   */
  askHidden(question: string): Promise<string>;
  /**
   * One line typed by a person.
   *
   * @throws Refusal when it is broken off.
   */
  ask(question: string): Promise<string>;
}

export interface HttpRequest {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body: Uint8Array;
}

export type HttpAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** No answer came; `reason` is for a person. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Sends one POST and follows no redirect. */
export type Post = (request: HttpRequest) => Promise<HttpAnswer>;

/** The value of the secret that holds every source's signing secrets. */
export type StoredValue =
  /** The secret exists and was never given a value. */
  | { readonly kind: 'none' }
  /** `text` is absent for a binary value. */
  | { readonly kind: 'value'; readonly versionId: string; readonly text: string | undefined };

export type WriteEnding =
  | { readonly kind: 'stored' }
  /** It was stored, and somebody else wrote between the read and now: one of the two changes may be lost. */
  | { readonly kind: 'raced' }
  /** It was stored; whether somebody else wrote meanwhile could not be asked. */
  | { readonly kind: 'unchecked'; readonly reason: string };

/** Where the signing secrets are kept. */
export interface SigningSecretStore {
  /** @throws Refusal when it cannot be read. */
  read(): Promise<StoredValue>;
  /**
   * Replaces the value. There is no compare-and-swap, so the last writer wins; the ending tells when
   * that overwrote another than `seen`.
   *
   * @throws Refusal when nothing was stored.
   */
  write(text: string, seen: StoredValue): Promise<WriteEnding>;
}
