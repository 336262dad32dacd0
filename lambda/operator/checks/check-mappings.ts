import type { Inspection, MappingFacts, MappingOrigin } from '../deployment/inspection-port.ts';
import { type Finding, fail, ok, warn } from './check.ts';

/** What waits in a queue or a stream needs a function that takes it. */
export async function checkMappings(inspection: Pick<Inspection, 'mappings'>): Promise<readonly Finding[]> {
  const mappings = await inspection.mappings();
  return ORIGINS.flatMap((origin) => {
    const found = mappings[origin];
    return found === undefined ? [] : find(origin, found);
  });
}

const ORIGINS: readonly MappingOrigin[] = ['events queue', 'outbox stream', 'outbox queue', 'deliveries queue'];

function find(origin: MappingOrigin, mappings: readonly MappingFacts[]): readonly Finding[] {
  const check = `mapping of the ${origin}`;
  if (mappings.length === 0) {
    // Whose consumer reads the outbox queue is not ours to know.
    return origin === 'outbox queue' ? [] : [fail(check, 'there is none, so nothing that comes there is worked on')];
  }
  const off = mappings.filter(({ state }) => !/^(Enabled|Enabling|Updating|Creating)$/.test(state));
  if (off.length > 0) return [fail(check, `is ${off.map(({ state }) => state).join(', ')}: enable it`)];
  const problem = mappings.find(({ lastResult }) => lastResult?.startsWith('PROBLEM') === true);
  return [problem === undefined ? ok(check, 'enabled') : warn(check, `its last result was ${problem.lastResult}`)];
}
