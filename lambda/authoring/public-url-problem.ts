import type { AnyPreset } from '../providers/preset.ts';

/**
 * What is wrong with the `publicUrl` of a source: it is missing where the provider signs it, there where
 * nothing is signed with it, or no URL. `undefined` when all is well, or when the provider itself is wrong.
 */
export function publicUrlProblem(definition: {
  readonly provider: AnyPreset | undefined;
  readonly publicUrl?: unknown;
}): string | undefined {
  const { provider, publicUrl } = definition;
  if (typeof provider !== 'object') return undefined;
  if (!signsUrl(provider.scheme)) {
    return publicUrl === undefined ? undefined : `publicUrl has no use: ${provider.name} signs no URL`;
  }
  if (publicUrl === undefined) {
    return `publicUrl is missing: ${provider.name} signs the URL, so name it exactly as it was given to the provider`;
  }
  return typeof publicUrl === 'string' && isPlainUrl(publicUrl)
    ? undefined
    : `publicUrl is an absolute https:// or http:// URL without a fragment, got ${JSON.stringify(publicUrl)}`;
}

function signsUrl(scheme: AnyPreset['scheme']): boolean {
  if (scheme.kind === 'code') return scheme.signsUrl === true;
  return scheme.kind !== 'token' && scheme.signed.includes('url');
}

/** Compared byte by byte with what the provider signed, so it is judged and never normalised. */
const isPlainUrl = (text: string): boolean => /^https?:\/\/[^\s#]+$/.test(text) && URL.canParse(text);
