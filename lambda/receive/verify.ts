/**
 * Verify: is the delivery from who the source says, unchanged and fresh?
 *
 * Cheap checks come first, and a request without a signature costs no secret read. When nothing
 * matches, the secrets may just have been rotated, so they are asked for once more; the secret source
 * grants that only so often, and a flood of bad signatures never becomes a load.
 */
import type { Source } from '../authoring/define-sources.ts';
import type { ProviderDocuments } from '../core/document-ports.ts';
import type { InboundRequest } from '../core/event.ts';
import type { SecretAnswer, SecretSource } from '../core/ports.ts';
import type { RejectionReason } from '../providers/scheme.ts';
import { verifySignature } from '../providers/signature.ts';
import { signedUrl } from './signed-url.ts';
import { type CodeVerdict, verifyByCode } from './verify-by-code.ts';

export type Verified =
  /** `secretIndex` is the place of the secret that matched, 0 for the current one. */
  | { readonly kind: 'verified'; readonly secretIndex: number }
  | { readonly kind: 'unauthenticated'; readonly reason: RejectionReason }
  | { readonly kind: 'no-secret'; readonly reason: string }
  | { readonly kind: 'key-unavailable'; readonly reason: string };

export interface VerifyDeps {
  readonly secrets: SecretSource;
  /** Only a scheme that is code asks for any. */
  readonly documents: ProviderDocuments;
}

/** @param signedBytes What the scheme signs: the bytes on the wire, or the inflated ones. */
export async function verify(
  { secrets: secretSource, documents }: VerifyDeps,
  source: Source,
  request: InboundRequest,
  signedBytes: Uint8Array,
): Promise<Verified> {
  const { scheme } = source.provider;
  const required = scheme.kind === 'code' ? scheme.requires : scheme.header === undefined ? [] : [scheme.header];
  if (required.some((name) => request.headers[name] === undefined)) {
    return { kind: 'unauthenticated', reason: 'missing_header' };
  }

  const check = async (secrets: readonly string[]): Promise<Verified> => {
    if (scheme.kind === 'code') {
      return toVerified(source, await verifyByCode(documents, source, scheme, request, signedBytes, secrets));
    }
    return toVerified(
      source,
      verifySignature(
        scheme,
        { headers: request.headers, body: signedBytes, method: request.method, url: signedUrl(source, request) },
        secrets,
        request.receivedAt,
        source.toleranceSeconds,
      ),
    );
  };

  const cached = await secretSource.secretsOf(source.name, 'start');
  const first: Verified =
    cached.kind === 'found' ? await check(cached.secrets) : { kind: 'no-secret', reason: cached.reason };
  if (!mayPassWithOtherSecrets(first)) return first;

  const fresh = await secretSource.secretsOf(source.name, 'mismatch');
  if (fresh.kind === 'none') return { kind: 'no-secret', reason: fresh.reason };
  return isSame(cached, fresh) ? first : await check(fresh.secrets);
}

// A secret that cannot be decoded is the operator's mistake and not the sender's: 503, not 401.
function toVerified(source: Source, verification: CodeVerdict): Verified {
  if (verification.kind !== 'rejected') return verification;
  return verification.reason === 'no_usable_secret'
    ? { kind: 'no-secret', reason: `no secret of ${source.name} can be decoded` }
    : { kind: 'unauthenticated', reason: verification.reason };
}

const MAY_PASS: readonly RejectionReason[] = ['signature_mismatch', 'unexpected_topic', 'key_not_found'];

const mayPassWithOtherSecrets = (verified: Verified): boolean =>
  verified.kind === 'no-secret' || (verified.kind === 'unauthenticated' && MAY_PASS.includes(verified.reason));

const isSame = (one: SecretAnswer, other: SecretAnswer): boolean =>
  one.kind === 'found' &&
  other.kind === 'found' &&
  one.secrets.length === other.secrets.length &&
  one.secrets.every((secret, index) => secret === other.secrets[index]);
