import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Source, Sources } from '../lambda/authoring/define-sources.ts';
import {
  DEFAULT_TABLE_ACTIONS,
  describeTables,
  type KeyAttribute,
  type TableAction,
  type TableDefinition,
} from '../lambda/authoring/define-tables.ts';
import { readTargets, type Target } from '../lambda/authoring/read-targets.ts';
import { tables } from '../lambda/handlers/tables.ts';
import { Refusal } from './refusal.ts';

export type { KeyAttribute, Source, Sources, TableAction, Target };
export { readTargets };

/** A table of the user's, with nothing left to a default. */
export interface DeclaredTable {
  /** The property of `tables` that holds its name. */
  readonly key: string;
  /** Without the `dynamodb:` prefix. */
  readonly actions: readonly TableAction[];
  readonly origin:
    | { readonly kind: 'imported'; readonly name: string }
    | { readonly kind: 'created'; readonly partitionKey: KeyAttribute; readonly sortKey: KeyAttribute | undefined };
}

/** What the user declared in `lambda/handlers/`. */
export interface Declarations {
  readonly sources: Sources;
  readonly tables: readonly DeclaredTable[];
  /** Whether the outbox queue has a consumer in `lambda/handlers/consumer.ts`. */
  readonly consumer: boolean;
}

/** Modules that take the place of those in `lambda/handlers/`. A relative path counts from the working directory. */
export interface DeclarationFiles {
  /** Exports `sources`. */
  readonly sources?: string | undefined;
  /** Exports `consumer`. */
  readonly consumer?: string | undefined;
}

/**
 * Reads `lambda/handlers/`: the one place where the stack looks at what authors write.
 *
 * @throws Refusal when there is no such file, or it does not export what it should; OncehookError
 * `CONFIG_INVALID` from the module itself when a definition in it is wrong.
 */
export async function loadDeclarations(files: DeclarationFiles = {}): Promise<Declarations> {
  return {
    sources: await loadSources(files.sources ?? inHandlers('sources.ts')),
    tables: declareTables(describeTables(tables)),
    consumer: await hasConsumer(files.consumer ?? inHandlers('consumer.ts')),
  };
}

async function loadSources(file: string): Promise<Sources> {
  const { sources } = await load(file, 'sources');
  if (!isSources(sources)) throw new Refusal([`${file} must export \`sources\`, made by defineSources(...)`]);
  return sources;
}

async function hasConsumer(file: string): Promise<boolean> {
  const module = await load(file, 'consumer');
  // An export of another name would be taken for none, and the queue would fill.
  if (!('consumer' in module) || !(module['consumer'] === undefined || isConsumer(module['consumer']))) {
    throw new Refusal([`${file} must export \`consumer\`, made by onceConsumer(...), or undefined`]);
  }
  return module['consumer'] !== undefined;
}

async function load(file: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw new Refusal([`there is no ${file}, which should export \`${name}\``]);
  return import(pathToFileURL(resolve(file)).href);
}

const inHandlers = (file: string): string => resolve(import.meta.dirname, '../lambda/handlers', file);

/** Fills in what the author of the tables left out. */
export function declareTables(definitions: Readonly<Record<string, TableDefinition>>): readonly DeclaredTable[] {
  return Object.entries(definitions).map(([key, definition]) => ({
    key,
    actions: definition.actions ?? DEFAULT_TABLE_ACTIONS,
    origin:
      'import' in definition
        ? { kind: 'imported', name: definition.import }
        : { kind: 'created', partitionKey: definition.partitionKey, sortKey: definition.sortKey },
  }));
}

const isSources = (value: unknown): value is Sources => value instanceof Map && value.size > 0;

const isConsumer = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'handle') === 'function';
