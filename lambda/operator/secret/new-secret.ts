import { assertNever } from '../../core/assert-never.ts';
import type { SecretFormat } from '../../providers/scheme.ts';
import { examineSecret } from '../../providers/secret-key.ts';
import type { Terminal } from '../ports.ts';
import { Refusal } from '../refusal.ts';

/**
 * Takes a secret from standard input, or from a person without showing it. One line break at the end is
 * not part of it; everything else is.
 *
 * @throws Refusal when it is no text of one line.
 */
export async function readSecret(terminal: Terminal, source: string): Promise<string> {
  const text = terminal.isInteractive
    ? await terminal.askHidden(`secret of ${source} (not shown): `)
    : decode(await terminal.readInput());
  const secret = text.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(secret)) throw new Refusal('the secret has a line break in it: give exactly one line');
  return secret;
}

/**
 * Refuses what no delivery could be verified with, or what is easily guessed.
 *
 * @throws Refusal that says nothing of the secret.
 */
export function requireUsable(format: SecretFormat, secret: string): void {
  const problem = describeProblem(format, secret);
  if (problem !== undefined) throw new Refusal(`the secret ${problem}, so nothing was changed`);
}

/** What is wrong with a secret, in words that follow its name; `undefined` when nothing is. */
export function describeProblem(format: SecretFormat, secret: string): string | undefined {
  const verdict = examineSecret(format, secret);
  switch (verdict) {
    case 'usable':
      return undefined;
    case 'empty':
      return 'is empty';
    case 'undecodable':
      if (format.publicKey !== undefined) return `is no ${PUBLIC_KEYS[format.publicKey]} in ${format.encoding}`;
      return `is not ${ENCODINGS[format.encoding]}${format.stripPrefix === undefined ? '' : ` after ${format.stripPrefix}`}`;
    case 'too_short':
      return `is shorter than ${format.minKeyBytes} bytes`;
    default:
      return assertNever(verdict);
  }
}

const PUBLIC_KEYS = { ed25519: 'Ed25519 public key of 32 bytes', 'ecdsa-p256': 'P-256 public key as SPKI' } as const;

const ENCODINGS = { utf8: 'well-formed text', base64: 'base64 with its padding', hex: 'hex' } as const;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('the secret is not UTF-8 text');
  }
}
