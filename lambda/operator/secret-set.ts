import type { Source } from '../authoring/define-sources.ts';
import type { SigningSecretStore } from './ports.ts';
import { changeSecrets, type SecretChange } from './secret/change-secrets.ts';
import { requireUsable } from './secret/new-secret.ts';

/**
 * Makes `secret` the only one of the source.
 *
 * @throws Refusal when the secret is not usable or the store refuses; nothing was changed.
 */
export async function setSecret(
  store: SigningSecretStore,
  source: Source,
  secret: string,
  replaceBroken: boolean,
): Promise<SecretChange> {
  requireUsable(source.provider.scheme.secret, secret);
  return changeSecrets(store, source.name, () => [secret], replaceBroken);
}
