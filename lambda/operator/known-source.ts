import type { Source, Sources } from '../authoring/define-sources.ts';
import { isTargetName, targetOfSecretName } from '../core/target.ts';
import type { SecretFormat } from '../providers/scheme.ts';
import { standardWebhooks } from '../providers/standard-webhooks.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal naming the sources there are. It does not repeat `name`, which may be a secret in the wrong place. */
export function knownSource(sources: Sources, name: string): Source {
  const source = sources.get(name);
  if (source === undefined) throw new Refusal(`no such source: there ${listOf([...sources.keys()])}`);
  return source;
}

/** Who has signing secrets: a source, or as `deliver:<target>` a target of the deliverer. */
export interface SecretOwner {
  readonly name: string;
  readonly format: SecretFormat;
}

/**
 * A target is known by its form alone: the settings of the stack, which name it, are not here.
 *
 * @throws Refusal as {@link knownSource}.
 */
export const knownSecretOwner = (sources: Sources, name: string): SecretOwner =>
  findSecretOwner(sources, name) ?? ownerOf(knownSource(sources, name));

/** `undefined` for a source that is no longer declared. */
export function findSecretOwner(sources: Sources, name: string): SecretOwner | undefined {
  const source = sources.get(name);
  if (source !== undefined) return ownerOf(source);
  const target = targetOfSecretName(name);
  return target !== undefined && isTargetName(target) ? { name, format: standardWebhooks().scheme.secret } : undefined;
}

const ownerOf = ({ name, provider }: Source): SecretOwner => ({ name, format: provider.scheme.secret });

const listOf = (names: readonly string[]): string =>
  names.length === 1 ? `is only ${names.join()}` : `are ${names.join(', ')}`;
