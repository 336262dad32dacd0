import type { SecretOwner } from './known-source.ts';
import type { SigningSecretStore } from './ports.ts';
import { Refusal } from './refusal.ts';
import { changeSecrets, requireList, type SecretChange } from './secret/change-secrets.ts';
import { requireUsable } from './secret/new-secret.ts';

/**
 * The current and the one before it. Providers that rotate sign with both for a while; a third would be one
 * that somebody forgot to drop, and every secret that is accepted can be stolen.
 */
const MAX_SECRETS = 2;

/**
 * Makes `secret` the current one and keeps the one before it, so that deliveries signed with either pass.
 *
 * @throws Refusal when the secret is not usable or there, when there are two, or the store refuses;
 * nothing was changed.
 */
export async function addSecret(store: SigningSecretStore, owner: SecretOwner, secret: string): Promise<SecretChange> {
  requireUsable(owner.format, secret);
  return changeSecrets(store, owner.name, (stored) => {
    const before = requireList(stored, owner.name);
    if (before.includes(secret)) throw new Refusal(`${owner.name} has this secret already, so nothing was changed`);
    if (before.length >= MAX_SECRETS) {
      throw new Refusal(
        `${owner.name} has ${before.length} secrets already: remove the previous one with oncehook secret drop ${owner.name}, then add`,
      );
    }
    return [secret, ...before];
  });
}
