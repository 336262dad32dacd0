import type { Sources } from '../../authoring/define-sources.ts';
import type { SigningSecretStore } from '../ports.ts';
import { describeProblem } from '../secret/new-secret.ts';
import { decodeSecretLists, secretsOf } from '../secret/secret-lists.ts';
import { type Finding, fail, ok, warn } from './check.ts';

/** Each source needs a secret that its deliveries can be verified with. Nothing of a secret is in what is found. */
export async function checkSecrets(
  store: Pick<SigningSecretStore, 'read'>,
  sources: Sources,
): Promise<readonly Finding[]> {
  const lists = decodeSecretLists(await store.read());
  return [...sources.values()].map(({ name, provider }) => {
    const check = `secret of ${name}`;
    const secrets = secretsOf(lists, name);
    if (secrets === 'broken') return fail(check, 'is not a list of texts, so every delivery is answered 503');
    if (secrets.length === 0) {
      return fail(check, `there is none, so every delivery is answered 503: oncehook secret set ${name}`);
    }
    const problems = secrets.flatMap((secret, n) => {
      const problem = describeProblem(provider.scheme.secret, secret);
      return problem === undefined ? [] : [`number ${n + 1} ${problem}`];
    });
    if (problems.length === 0) return ok(check, secrets.length === 1 ? '1, decodable' : `${secrets.length}, decodable`);
    return (problems.length === secrets.length ? fail : warn)(check, problems.join('; '));
  });
}
