/**
 * What verification and handshakes ask of providers: certificates, keys, and the confirmation of a
 * subscription.
 */

/** One request to a provider. It may hold credentials, so nothing of it but `name` is logged. */
export interface DocumentRequest {
  /** `https` and nothing else: no user, no port, no fragment. */
  readonly url: string;
  /** The hosts that may be asked, whole names. The URL's must be one of them. */
  readonly hosts: readonly string[];
  /** JSON text that is posted; absent for a GET. */
  readonly json?: string;
  /** What the document is remembered by, free of credentials. */
  readonly name: string;
}

export type DocumentAnswer =
  | { readonly kind: 'found'; readonly text: string }
  /** The provider says that there is no such document. */
  | { readonly kind: 'absent' }
  /** It could not be asked, or gave no answer; `reason` is for the log alone. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Asks providers; how often is bounded, whoever makes us ask. */
export interface ProviderDocuments {
  /** A document that changes rarely, from a cache where it is fresh. */
  read(request: DocumentRequest): Promise<DocumentAnswer>;
  /** Asks once and remembers nothing: a call that does something. */
  call(request: DocumentRequest): Promise<DocumentAnswer>;
}
