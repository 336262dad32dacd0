import type { SecretOwner } from './known-source.ts';
import type { SigningSecretStore } from './ports.ts';
import { changeSecrets, type SecretChange } from './secret/change-secrets.ts';
import { requireUsable } from './secret/new-secret.ts';

/**
 * Makes `secret` the only one of its owner.
 *
 * @throws Refusal when the secret is not usable or the store refuses; nothing was changed.
 */
export async function setSecret(
  store: SigningSecretStore,
  owner: SecretOwner,
  secret: string,
  replaceBroken: boolean,
): Promise<SecretChange> {
  requireUsable(owner.format, secret);
  return changeSecrets(store, owner.name, () => [secret], replaceBroken);
}
