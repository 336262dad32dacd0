import type { Source, Sources } from '../authoring/define-sources.ts';
import { decodeSecret } from '../providers/secret-key.ts';
import { type Finding, look, warn } from './checks/check.ts';
import { checkMappings } from './checks/check-mappings.ts';
import { checkDeadLetters } from './checks/check-queues.ts';
import { checkSecrets } from './checks/check-secrets.ts';
import { checkTables } from './checks/check-tables.ts';
import { checkWindow } from './checks/check-window.ts';
import { type ProbeDeps, probeHandler, probeSource, probeUnknownSource } from './checks/probe.ts';
import type { Deployment } from './deployment/deployment.ts';
import { decodeSecretLists, type SecretLists, secretsOf } from './secret/secret-lists.ts';

export interface DoctorDeps extends Omit<ProbeDeps, 'apiUrl'> {
  readonly deployment: Deployment;
  readonly sources: Sources;
}

export interface DoctorWish {
  /** Whether deliveries are sent. */
  readonly probes: boolean;
  /** An event whose handler is to run. */
  readonly handled: { readonly source: Source; readonly type: string } | undefined;
}

/**
 * Looks at a deployment and says what it finds, a check after another. Nothing is changed, but by the handler of an
 * event that was asked for.
 */
export async function* examine(deps: DoctorDeps, wish: DoctorWish): AsyncIterable<readonly Finding[]> {
  const { deployment, sources } = deps;
  yield await look('secrets', async () => checkSecrets(await deployment.secrets(), sources));
  yield await look('mappings', async () => checkMappings(await deployment.inspection()));
  yield await look('tables', async () => checkTables(await deployment.inspection()));
  yield await checkDeadLetters(deployment);
  yield await look('dedup window', async () => checkWindow(await deployment.inspection(), sources), warn);
  if (!wish.probes) return;

  const probe = { ...deps, apiUrl: deployment.apiUrl };
  yield await look('probe of an unknown source', () => probeUnknownSource(probe));
  const lists = await secretLists(deployment);
  for (const source of sources.values()) {
    const secret = usableSecret(source, lists);
    // What is wrong with it was said above.
    if (secret === undefined) continue;
    yield await look(`probe of ${source.name}`, () => probeSource(probe, source, secret));
  }
  if (wish.handled === undefined) return;
  const { source, type } = wish.handled;
  const secret = usableSecret(source, lists);
  if (secret !== undefined)
    yield await look(`probe of ${source.name}`, () => probeHandler(probe, source, secret, type));
}

async function secretLists(deployment: Deployment): Promise<SecretLists> {
  try {
    return decodeSecretLists(await (await deployment.secrets()).read());
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') return {};
    throw error;
  }
}

function usableSecret({ name, provider }: Source, lists: SecretLists): string | undefined {
  const secrets = secretsOf(lists, name);
  if (secrets === 'broken') return undefined;
  return secrets.find((secret) => decodeSecret(provider.scheme.secret, secret) !== undefined);
}
