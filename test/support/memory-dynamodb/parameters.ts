import { NotModelled } from './errors.ts';

/** Fails on a parameter that would otherwise be silently without effect. Absent ones may be set to `undefined`. */
export function refuseUnknown(what: string, input: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || known.includes(name)) continue;
    if (name === 'ReturnConsumedCapacity' && value === 'NONE') continue;
    if (name === 'ReturnItemCollectionMetrics' && value === 'NONE') continue;
    throw new NotModelled(`the parameter ${name} of ${what}`);
  }
}
