import type { Source } from '../authoring/define-sources.ts';
import type { ProviderPreset } from '../providers/preset.ts';
import { whyUnsignable } from '../providers/sign.ts';
import { Refusal } from './refusal.ts';

/** A source whose deliveries can be signed here. */
export type SignableSource = Omit<Source, 'provider'> & { readonly provider: ProviderPreset };

/** @throws Refusal for a source whose scheme is code, or verifies with a public key: it can verify but not sign. */
export function requireSignable(source: Source): SignableSource {
  const { provider } = source;
  const { scheme } = provider;
  if (scheme.kind === 'code') {
    throw new Refusal(
      scheme.privateKey === true
        ? `nobody else can sign for ${provider.name}: it has a private key, and the secret here is not that`
        : `${provider.name} proves itself in a way of its own, which is only verified here and not imitated`,
    );
  }
  const why = whyUnsignable(scheme);
  if (why !== undefined) throw new Refusal(`deliveries of ${source.name} cannot be signed here: ${why}`);
  return { ...source, provider: { ...provider, scheme } };
}
