import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sources } from '../../authoring/define-sources.ts';
import { decodeLocalState, type LocalState } from '../local-state.ts';
import { oneLine, Refusal } from '../refusal.ts';

/**
 * Imports the user's sources.
 *
 * @param file A relative path counts from the working directory.
 * @throws Refusal with the module's own reason when it cannot be used.
 */
export async function loadSources(file: string): Promise<Sources> {
  if (!existsSync(file)) throw new Refusal(`there is no ${file}, which should export \`sources\``);
  let module: { readonly sources?: unknown };
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new Refusal(`${file} cannot be loaded: ${oneLine(error)}`);
  }
  if (isSources(module.sources)) return module.sources;
  throw new Refusal(`${file} must export \`sources\`, made by defineSources(...)`);
}

/**
 * What the running local AWS says of itself.
 *
 * @returns `undefined` when there is no such file: nothing runs.
 * @throws Refusal when it cannot be read.
 */
export function readLocalState(file: string): LocalState | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Refusal(`${file} cannot be read: ${codeOf(error)}`);
  }
  return decodeLocalState(text);
}

/** The bytes of a file as they are. @throws Refusal when it cannot be read. */
export async function readBody(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${codeOf(error)}`);
  }
}

/** Writes a file that is not there yet, readable by its owner only. @throws Refusal when it is there, or cannot be. */
export async function writeNewFile(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Refusal(
      codeOf(error) === 'EEXIST'
        ? `${file} is there already: name another`
        : `${file} cannot be written: ${codeOf(error)}`,
    );
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : oneLine(error);

const isSources = (value: unknown): value is Sources => value instanceof Map && value.size > 0;
