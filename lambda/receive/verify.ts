/**
 * Verify: is the delivery from who the source says, unchanged and fresh?
 *
 * Cheap checks come first, and a request without a signature costs no secret read. When nothing
 * matches, the secrets may just have been rotated, so they are asked for once more; the secret source
 * grants that only so often, and a flood of bad signatures never becomes a load.
 */
import type { Source } from '../authoring/define-sources.ts';
import type { InboundRequest } from '../core/event.ts';
import type { SecretAnswer, SecretSource } from '../core/ports.ts';
import type { RejectionReason, Verification } from '../providers/scheme.ts';
import { verifySignature } from '../providers/signature.ts';

export type Verified =
  /** `secretIndex` is the place of the secret that matched, 0 for the current one. */
  | { readonly kind: 'verified'; readonly secretIndex: number }
  | { readonly kind: 'unauthenticated'; readonly reason: RejectionReason }
  | { readonly kind: 'no-secret'; readonly reason: string };

/** @param signedBytes What the scheme signs: the bytes on the wire, or the inflated ones. */
export async function verify(
  secretSource: SecretSource,
  source: Source,
  request: InboundRequest,
  signedBytes: Uint8Array,
): Promise<Verified> {
  const { scheme } = source.provider;
  if (request.headers[scheme.header] === undefined) return { kind: 'unauthenticated', reason: 'missing_header' };

  const check = (secrets: readonly string[]): Verified =>
    toVerified(
      source,
      verifySignature(
        scheme,
        { headers: request.headers, body: signedBytes },
        secrets,
        request.receivedAt,
        source.toleranceSeconds,
      ),
    );

  const cached = await secretSource.secretsOf(source.name, 'start');
  const first: Verified =
    cached.kind === 'found' ? check(cached.secrets) : { kind: 'no-secret', reason: cached.reason };
  if (!mayPassWithOtherSecrets(first)) return first;

  const fresh = await secretSource.secretsOf(source.name, 'mismatch');
  if (fresh.kind === 'none') return { kind: 'no-secret', reason: fresh.reason };
  return isSame(cached, fresh) ? first : check(fresh.secrets);
}

// A secret that cannot be decoded is the operator's mistake and not the sender's: 503, not 401.
function toVerified(source: Source, verification: Verification): Verified {
  if (verification.kind === 'verified') return verification;
  return verification.reason === 'no_usable_secret'
    ? { kind: 'no-secret', reason: `no secret of ${source.name} can be decoded` }
    : { kind: 'unauthenticated', reason: verification.reason };
}

const mayPassWithOtherSecrets = (verified: Verified): boolean =>
  verified.kind === 'no-secret' || (verified.kind === 'unauthenticated' && verified.reason === 'signature_mismatch');

const isSame = (one: SecretAnswer, other: SecretAnswer): boolean =>
  one.kind === 'found' &&
  other.kind === 'found' &&
  one.secrets.length === other.secrets.length &&
  one.secrets.every((secret, index) => secret === other.secrets[index]);
