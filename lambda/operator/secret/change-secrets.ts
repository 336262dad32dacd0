import { assertNever } from '../../core/assert-never.ts';
import type { SigningSecretStore } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { decodeSecretLists, encodeSecretLists, type SourceSecrets, secretsOf, withSecrets } from './secret-lists.ts';

/** What a change has left the source with. */
export interface SecretChange {
  readonly secrets: readonly string[];
  /** Something the operator should look at. */
  readonly warning: string | undefined;
}

/**
 * Reads, changes one source's list and writes all of it back.
 *
 * @param change Gives the new list; throws a Refusal to leave everything as it is.
 * @param replaceBroken Starts from nothing when the stored value cannot be decoded.
 * @throws Refusal when nothing was changed, or when another writer's change may be lost.
 */
export async function changeSecrets(
  store: SigningSecretStore,
  source: string,
  change: (before: SourceSecrets) => readonly string[],
  replaceBroken = false,
): Promise<SecretChange> {
  const seen = await store.read();
  const lists = replaceBroken ? decodeOrEmpty(seen) : decodeSecretLists(seen);
  const secrets = change(secretsOf(lists, source));
  const ending = await store.write(encodeSecretLists(withSecrets(lists, source, secrets)), seen);
  switch (ending.kind) {
    case 'stored':
      return { secrets, warning: undefined };
    case 'unchecked':
      return { secrets, warning: `stored, but not checked for a change at the same moment: ${ending.reason}` };
    case 'raced':
      throw new Refusal(
        `somebody else changed the secrets at the same moment, and one change may be lost: look with oncehook secret show ${source}, and repeat what is missing`,
      );
    default:
      return assertNever(ending);
  }
}

function decodeOrEmpty(seen: Parameters<typeof decodeSecretLists>[0]) {
  try {
    return decodeSecretLists(seen);
  } catch {
    return {};
  }
}

/** @throws Refusal for an entry that only `set` may replace. */
export function requireList(secrets: SourceSecrets, source: string): readonly string[] {
  if (secrets !== 'broken') return secrets;
  throw new Refusal(
    `what is stored for ${source} is not a list of texts: replace it with oncehook secret set ${source}`,
  );
}
