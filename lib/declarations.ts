import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sources } from '../lambda/authoring/define-sources.ts';
import {
  DEFAULT_TABLE_ACTIONS,
  describeTables,
  type KeyAttribute,
  type TableAction,
  type TableDefinition,
} from '../lambda/authoring/define-tables.ts';
import { tables } from '../lambda/handlers/tables.ts';
import { Refusal } from './refusal.ts';

export type { KeyAttribute, Sources, TableAction };

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
}

/**
 * Reads `lambda/handlers/`: the one place where the stack looks at what authors write.
 *
 * @param sourcesFile Another module that exports `sources`, instead of `lambda/handlers/sources.ts`.
 * A relative path counts from the working directory.
 * @throws Refusal when there is no such file, or it exports no sources; OncehookError
 * `CONFIG_INVALID` from the module itself when a definition in it is wrong.
 */
export async function loadDeclarations(sourcesFile?: string): Promise<Declarations> {
  const file = sourcesFile ?? resolve(import.meta.dirname, '../lambda/handlers/sources.ts');
  if (!existsSync(file)) throw new Refusal([`there is no ${file}, which should export \`sources\``]);
  const module: { readonly sources?: unknown } = await import(pathToFileURL(resolve(file)).href);

  if (!isSources(module.sources)) throw new Refusal([`${file} must export \`sources\`, made by defineSources(...)`]);
  return { sources: module.sources, tables: declareTables(describeTables(tables)) };
}

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
