import { matchSecrets, rejected } from './match-secrets.ts';
import { isSameText } from './same-text.ts';
import type { TokenScheme, Verification } from './scheme.ts';

/** Compares the token as a whole, so that one that came twice is another token. */
export function verifyToken(
  scheme: TokenScheme,
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Verification {
  const token = headers[scheme.header];
  if (token === undefined || token.trim() === '') return rejected('missing_header');
  return matchSecrets(scheme.secret, secrets, (key) => isSameText(Buffer.from(key).toString('utf8'), token));
}
