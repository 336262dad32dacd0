import { randomBytes } from 'node:crypto';
import type { SourceDescription } from '../synth/sources.ts';

/** Key bytes of a generated secret: what Standard Webhooks recommends at least 24 of, and SHA-256 uses fully. */
const KEY_BYTES = 32;

/** Makes a signing secret of the form that the source's provider issues. */
export function generateSecret({ provider, secret }: SourceDescription): string {
  const key = randomBytes(Math.max(KEY_BYTES, secret.minKeyBytes));
  switch (secret.encoding) {
    case 'base64':
      return `${secret.stripPrefix ?? ''}${key.toString('base64')}`;
    case 'hex':
      return `${secret.stripPrefix ?? ''}${key.toString('hex')}`;
    case 'utf8':
      // Stripe's prefix is part of the text that is the key.
      return `${provider === 'stripe' ? 'whsec_' : (secret.stripPrefix ?? '')}${key.toString('hex')}`;
  }
}
