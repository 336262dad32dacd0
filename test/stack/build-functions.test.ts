import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireBundles } from '../../lib/bundles.ts';
import { buildFunctions, watchFunctions } from '../../scripts/build-functions.ts';
import { aFolder } from './a-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** A sources module outside of the repository, with one source of that name. */
function sourcesNamed(name: string, folder = aFolder()): string {
  const file = join(folder, 'sources.ts');
  writeFileSync(
    file,
    `import { defineSources, github } from ${JSON.stringify(join(root, 'lambda/oncehook.ts'))};
export const sources = defineSources({ '${name}': { provider: github(), on: { push: async () => {} } } });
`,
  );
  return file;
}

const inputsIn = (folder: string) =>
  Object.keys(JSON.parse(readFileSync(join(folder, 'meta/receive.json'), 'utf8')).inputs);
const bundleIn = (folder: string) => readFileSync(join(folder, 'receive/index.mjs'), 'utf8');

describe('a build', () => {
  it('writes the same bytes wherever it writes them', async () => {
    const [here, there] = [aFolder(), aFolder()];

    const [first] = await buildFunctions({ outDir: here });
    await buildFunctions({ outDir: there });

    expect(bundleIn(here)).toBe(bundleIn(there));
    expect(first).toEqual({ name: 'receive', file: join(here, 'receive/index.mjs'), bytes: expect.any(Number) });
  });

  it("leaves in a function's folder what is deployed, and nothing else", async () => {
    const outDir = aFolder();

    await buildFunctions({ outDir });
    for (const name of ['receive', 'dispatch']) writeFileSync(join(outDir, name, 'left-over.js'), '');
    await buildFunctions({ outDir });

    expect(readdirSync(join(outDir, 'dispatch'))).toEqual(['index.mjs']);
    // The client for bodies that are too large for a message is loaded by few, and so not at the start.
    expect(readdirSync(join(outDir, 'receive')).toSorted()).toEqual(['index.mjs', 's3-client.mjs']);
  });

  it("says what a bundle is made of: our credentials from the environment, and none of the SDK's providers", async () => {
    const outDir = aFolder();

    await buildFunctions({ outDir });

    const inputs = Object.keys(JSON.parse(readFileSync(join(outDir, 'meta/receive.json'), 'utf8')).inputs);
    expect(inputs).toContain('lambda/adapters/environment-credentials.ts');
    expect(
      inputs.filter((input) => /credential-provider|token-providers|@aws-sdk\/nested-clients/.test(input)),
    ).toEqual([]);
  });

  it('takes its sources from another module', async () => {
    const outDir = aFolder();

    await buildFunctions({ outDir, sourcesFile: sourcesNamed('elsewhere') });

    expect(bundleIn(outDir)).toContain('elsewhere');
    expect(inputsIn(outDir)).not.toContain('lambda/handlers/sources.ts');
  });

  it('lets another module build on the sources that ship', async () => {
    const [outDir, folder] = [aFolder(), aFolder()];
    const sourcesFile = join(folder, 'sources.ts');
    writeFileSync(
      sourcesFile,
      `export { sources } from ${JSON.stringify(join(root, 'lambda/handlers/sources.ts'))};\n`,
    );

    await buildFunctions({ outDir, sourcesFile });

    expect(inputsIn(outDir)).toContain('lambda/handlers/sources.ts');
  });

  it('that fails names file and line, and leaves the last good bundle', async () => {
    const [outDir, folder] = [aFolder(), aFolder()];
    await buildFunctions({ outDir });
    const good = bundleIn(outDir);
    const sourcesFile = join(folder, 'sources.ts');
    writeFileSync(sourcesFile, 'export const sources = ;\n');

    await expect(buildFunctions({ outDir, sourcesFile })).rejects.toThrow(/sources\.ts:1:/);

    expect(bundleIn(outDir)).toBe(good);
  });
});

describe('a watched build', () => {
  it('is made again when a handler changes, and reports one that does not build', async () => {
    const [outDir, folder] = [aFolder(), aFolder()];
    const sourcesFile = sourcesNamed('first', folder);
    const ended = queueOfEndings();
    const watching = await watchFunctions({
      outDir,
      sourcesFile,
      onBuild: ({ name }) => {
        // The other functions have no handler of an author's in them, so they are made once.
        if (name === 'receive') ended.push('receive built');
      },
      onFailure: ([problem]) => ended.push(problem ?? ''),
    });

    expect(await ended.next()).toBe('receive built');
    expect(bundleIn(outDir)).toContain('first');

    sourcesNamed('second', folder);
    expect(await ended.next()).toBe('receive built');
    expect(bundleIn(outDir)).toContain('second');

    writeFileSync(sourcesFile, 'export const sources = ;\n');
    expect(await ended.next()).toMatch(/sources\.ts:1: Unexpected ";"/);
    await watching.stop();
  });
});

describe('a stack', () => {
  it('is not made without its bundles', async () => {
    const folder = aFolder();

    expect(() => requireBundles(folder)).toThrow(
      'dist/receive/index.mjs is missing; build the functions first: node scripts/build.ts',
    );
    await buildFunctions({ outDir: folder });
    expect(() => requireBundles(folder)).not.toThrow();
  });
});

/** What has ended, in order; `next` waits for one that has not been asked for yet. */
function queueOfEndings() {
  const done: string[] = [];
  const waiting: ((what: string) => void)[] = [];
  return {
    push: (what: string) => {
      const first = waiting.shift();
      if (first === undefined) done.push(what);
      else first(what);
    },
    next: (): Promise<string> => {
      const first = done.shift();
      return first === undefined ? new Promise((resolveNext) => waiting.push(resolveNext)) : Promise.resolve(first);
    },
  };
}
