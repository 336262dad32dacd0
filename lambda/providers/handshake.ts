import type { DocumentRequest } from '../core/document-ports.ts';
import type { Location } from './preset.ts';

/** Where a signed handshake shows that it is one: a value that no event has there. A number is compared by its digits. */
export interface HandshakeMark {
  readonly at: Location;
  readonly is: string;
  /** A field of the body that every event has, where the value alone does not tell. */
  readonly without?: readonly string[];
}

/**
 * One way in which a provider checks an endpoint, as data. What comes back is text or JSON, never
 * HTML, and never longer than a challenge can be.
 */
export type Handshake =
  /**
   * An unsigned request with a query parameter that is sent back as text. `where` has further
   * parameters and their values; `token` names one whose value's SHA-256, in hex, is known.
   */
  | {
      readonly kind: 'echo-query';
      readonly method: 'GET' | 'POST';
      readonly parameter: string;
      readonly where?: Readonly<Record<string, string>>;
      readonly token?: { readonly parameter: string; readonly sha256: string };
    }
  /** Signed; a field of the body is sent back as text. */
  | { readonly kind: 'echo-field'; readonly mark: HandshakeMark; readonly field: readonly string[] }
  /**
   * Signed; a field of the body is sent back in JSON, beside its HMAC-SHA256 in hex with the secret that verified. It has
   * the characters of base64 and base64url alone, so that nothing a provider signs can be proved in its place.
   */
  | {
      readonly kind: 'prove-secret';
      readonly mark: HandshakeMark;
      readonly field: readonly string[];
      /** Names in the answer. */
      readonly plain: string;
      readonly proof: string;
    }
  /** Signed; always the same answer. */
  | { readonly kind: 'fixed'; readonly mark: HandshakeMark; readonly status: 200 | 204; readonly json?: unknown }
  /** Signed; the provider is asked to confirm. @returns `undefined` when the body names nothing to confirm. */
  | {
      readonly kind: 'confirm';
      readonly mark: HandshakeMark;
      readonly request: (body: unknown, secret: string) => DocumentRequest | undefined;
    };
