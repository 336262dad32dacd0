import type { Source } from '../authoring/define-sources.ts';
import type { CodeScheme } from '../providers/code-scheme.ts';
import type { AnyPreset } from '../providers/preset.ts';
import type { Scheme } from '../providers/scheme.ts';
import { whyUnsignable } from '../providers/sign.ts';
import { Refusal } from './refusal.ts';
import { codeSignerOf } from './signers/code-signer-of.ts';
import { createSchemeSigner } from './signers/scheme-signer.ts';
import type { Signer } from './signers/signer.ts';

/** A source whose deliveries can be signed here. */
export type SignableSource = Source & { readonly signer: Signer };

/** @throws Refusal for a source whose provider signs with a private key, or in a way for which there is no signer. */
export function requireSignable(source: Source): SignableSource {
  const { scheme } = source.provider;
  const signer =
    scheme.kind === 'code' ? requireCodeSigner(source.provider, scheme) : requireSchemeSigner(source, scheme);
  return { ...source, signer };
}

function requireSchemeSigner({ name }: Source, scheme: Scheme): Signer {
  const why = whyUnsignable(scheme);
  if (why !== undefined) throw new Refusal(`deliveries of ${name} cannot be signed here: ${why}`);
  return createSchemeSigner(scheme);
}

function requireCodeSigner(provider: AnyPreset, scheme: CodeScheme): Signer {
  if (scheme.privateKey === true) {
    throw new Refusal(
      `nobody else can sign for ${provider.name}: it has a private key, and the secret here is not that`,
    );
  }
  const signer = codeSignerOf({ ...provider, scheme });
  if (signer !== undefined) return signer;
  throw new Refusal(`${provider.name} proves itself in a way of its own, which is only verified here and not imitated`);
}
