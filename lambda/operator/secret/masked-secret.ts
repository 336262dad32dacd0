import { createHash } from 'node:crypto';
import type { SecretFormat } from '../../providers/scheme.ts';
import { describeProblem } from './new-secret.ts';

/**
 * What may be shown of a secret: enough to tell two apart, and nothing to read it by. The hash's first
 * digits would confirm a guess, so a secret weak enough to be guessed is not protected by the mask.
 */
export interface MaskedSecret {
  /** Counts from 1. */
  readonly index: number;
  readonly role: 'current' | 'previous';
  readonly characters: number;
  /** The last four characters of a secret long enough to spare them. */
  readonly endsWith: string | undefined;
  /** First 8 hex digits of the SHA-256 of its text. */
  readonly sha256: string;
  /** What is wrong with it; a secret with a problem verifies nothing or is easily guessed. */
  readonly problem: string | undefined;
}

/** From here on four characters are a small part: 28 others stay unknown. */
const LONG_CHARACTERS = 32;

/** @param format Absent for a source that is no longer declared, whose secrets cannot be judged. */
export function maskSecrets(secrets: readonly string[], format: SecretFormat | undefined): readonly MaskedSecret[] {
  return secrets.map((secret, position) => ({
    index: position + 1,
    role: position === 0 ? 'current' : 'previous',
    characters: secret.length,
    endsWith: secret.length >= LONG_CHARACTERS ? secret.slice(-4) : undefined,
    sha256: createHash('sha256').update(secret).digest('hex').slice(0, 8),
    problem: format === undefined ? undefined : describeProblem(format, secret),
  }));
}

export function formatMasked({ index, role, characters, endsWith, sha256, problem }: MaskedSecret): string {
  const end = endsWith === undefined ? '' : `, ends with ${endsWith}`;
  const trouble = problem === undefined ? '' : `, ${problem}`;
  return `${index}  ${role.padEnd(8)}  ${characters} characters${end}, sha256 ${sha256}…${trouble}`;
}
