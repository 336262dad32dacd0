import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { PublicKeyKind } from '../../lambda/providers/scheme.ts';
import type { SourceDescription } from '../synth/sources.ts';

/** Key bytes of a generated secret: what Standard Webhooks recommends at least 24 of, and SHA-256 uses fully. */
const KEY_BYTES = 32;

/** Makes a signing secret of the form that the source's provider issues. */
export function generateSecret({ provider, secret }: SourceDescription): string {
  const key =
    secret.publicKey === undefined ? randomBytes(Math.max(KEY_BYTES, secret.minKeyBytes)) : publicKey(secret.publicKey);
  switch (secret.encoding) {
    case 'base64':
      return `${secret.stripPrefix ?? ''}${key.toString('base64')}`;
    case 'hex':
      return `${secret.stripPrefix ?? ''}${key.toString('hex')}`;
    case 'utf8':
      return `${KEPT_PREFIXES.get(provider) ?? secret.stripPrefix ?? ''}${key.toString('hex')}`;
  }
}

/** By preset: what the key, as text, begins with. Postmark's is `<user>:<password>`. */
const KEPT_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['stripe', 'whsec_'],
  ['postmark', 'oncehook:'],
]);

/** A well-formed key whose private half is thrown away: the source is ready, and nobody can send to it. */
function publicKey(kind: PublicKeyKind): Buffer {
  const format = { format: 'der', type: 'spki' } as const;
  return kind === 'ed25519'
    ? generateKeyPairSync('ed25519').publicKey.export(format).subarray(-ED25519_KEY_BYTES)
    : generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey.export(format);
}

const ED25519_KEY_BYTES = 32;
