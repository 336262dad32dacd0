import type { RejectionReason, SecretFormat, Verification } from './scheme.ts';
import { decodeSecret } from './secret-key.ts';

/**
 * Asks every secret, match or not, so that the time of the answer does not tell which one matched.
 *
 * @param mismatch The reason when none does.
 */
export function matchSecrets(
  format: SecretFormat,
  secrets: readonly string[],
  matches: (key: Uint8Array) => boolean,
  mismatch: RejectionReason = 'signature_mismatch',
): Verification {
  const keys = secrets.map((secret) => decodeSecret(format, secret));
  if (keys.every((key) => key === undefined)) return rejected('no_usable_secret');
  const secretIndex = keys.map((key) => key !== undefined && matches(key)).indexOf(true);
  return secretIndex < 0 ? rejected(mismatch) : { kind: 'verified', secretIndex };
}

/** A verdict against a request. */
export const rejected = (reason: RejectionReason) => ({ kind: 'rejected', reason }) as const;
