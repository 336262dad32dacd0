import { OncehookError } from '../../core/errors.ts';
import type { CodeScheme } from '../../providers/code-scheme.ts';
import type { ProviderPreset } from '../../providers/preset.ts';
import { decodeSecret } from '../../providers/secret-key.ts';
import { ADYEN_SIGNER } from './adyen.ts';
import type { CodeSigner } from './code-signer.ts';
import { MICROSOFT_GRAPH_SIGNER } from './microsoft-graph.ts';
import { POSTMARK_SIGNER } from './postmark.ts';
import type { Signer } from './signer.ts';
import { SSLCOMMERZ_SIGNER } from './sslcommerz.ts';
import { TWILIO_SIGNER } from './twilio.ts';

/** Chosen by the preset's name, as samples are; `undefined` where no signer is written. */
export function codeSignerOf({ name, scheme }: ProviderPreset<CodeScheme>): Signer | undefined {
  const signer = signerNamed(name);
  if (signer === undefined) return undefined;
  return {
    ...signer,
    sign(secret, delivery) {
      const key = decodeSecret(scheme.secret, secret);
      if (key !== undefined) return signer.sign(key, delivery);
      throw new OncehookError('CONFIG_INVALID', `the secret is empty or not ${scheme.secret.encoding}`, {
        retryable: false,
      });
    },
  };
}

function signerNamed(name: string): CodeSigner | undefined {
  switch (name) {
    case 'adyen':
      return ADYEN_SIGNER;
    case 'microsoft-graph':
      return MICROSOFT_GRAPH_SIGNER;
    case 'postmark':
      return POSTMARK_SIGNER;
    case 'sslcommerz':
      return SSLCOMMERZ_SIGNER;
    case 'twilio':
      return TWILIO_SIGNER;
    default:
      return undefined;
  }
}
