import type { SigningSecretStore } from './ports.ts';
import { Refusal } from './refusal.ts';
import { changeSecrets, requireList, type SecretChange } from './secret/change-secrets.ts';

/**
 * Removes the oldest secret of a source, or the one at `index`. The last one goes only when it is named:
 * without any, every delivery is answered 503.
 *
 * @param index Counts from 1, as `show` does.
 * @throws Refusal when there is no such secret, or it is the only one; nothing was changed.
 */
export async function dropSecret(
  store: SigningSecretStore,
  source: string,
  index: number | undefined,
): Promise<SecretChange> {
  return changeSecrets(store, source, (stored) => {
    const before = requireList(stored, source);
    if (before.length === 0) throw new Refusal('this source has no secret to drop');
    if (index === undefined && before.length === 1) {
      throw new Refusal(
        `${source} has only one secret, and without it every delivery is refused: add --index 1 if that is meant`,
      );
    }
    const position = (index ?? before.length) - 1;
    if (position >= before.length)
      throw new Refusal(`${source} has only ${before.length}: there is no --index ${index}`);
    return before.filter((_secret, at) => at !== position);
  });
}
