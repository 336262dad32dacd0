import type { Source, Sources } from '../authoring/define-sources.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal naming the sources there are. It does not repeat `name`, which may be a secret in the wrong place. */
export function knownSource(sources: Sources, name: string): Source {
  const source = sources.get(name);
  if (source === undefined) throw new Refusal(`no such source: there ${listOf([...sources.keys()])}`);
  return source;
}

const listOf = (names: readonly string[]): string =>
  names.length === 1 ? `is only ${names.join()}` : `are ${names.join(', ')}`;
