import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BuildContext, type BuildOptions, type BuildResult, build, context, type Plugin } from 'esbuild';
import { BUNDLE_FILE, BUNDLES } from '../lib/bundles.ts';

const root = resolve(import.meta.dirname, '..');
const ownSources = join(root, 'lambda/handlers/sources.ts');

/**
 * What few deployments ever load: a file of its own beside the bundles that import it dynamically. Shared chunks would
 * make it smaller and every cold start larger, because they carry to the start what only this file needs.
 */
const ON_DEMAND = { entry: join(root, 'lambda/adapters/s3/s3-client.ts'), file: 's3-client.mjs' } as const;

export interface BuildFunctionsOptions {
  /** Gets one folder a function, and `meta/` with what esbuild says each bundle is made of. */
  readonly outDir: string;
  /** A module that exports `sources`, in the place of `lambda/handlers/sources.ts`. */
  readonly sourcesFile?: string | undefined;
  /** Run before the ones of the build itself: how a proof run takes a guard out of the code. */
  readonly plugins?: readonly Plugin[] | undefined;
}

export interface Bundle {
  readonly name: string;
  readonly file: string;
  /** Of `file` alone, which is all that is loaded at the start. */
  readonly bytes: number;
}

/**
 * Bundles every function: the bytes that are tested, run locally and deployed. They depend on the sources
 * and the locked packages alone, neither on the time nor on the folder.
 *
 * A bundle is replaced only after it was built, so a failed build leaves the last good one.
 *
 * @throws esbuild's BuildFailure; its message names file and line.
 */
export async function buildFunctions(options: BuildFunctionsOptions): Promise<readonly Bundle[]> {
  const bundles: Bundle[] = [];
  for (const name of Object.keys(BUNDLES)) {
    bundles.push(await store(name, options.outDir, await build(esbuildOptions(name, options))));
  }
  return bundles;
}

export interface WatchFunctionsOptions extends BuildFunctionsOptions {
  /** After each build that worked, the first included. */
  readonly onBuild: (bundle: Bundle) => void;
  /** After each that did not, with file, line and reason of every error. */
  readonly onFailure: (problems: readonly string[]) => void;
}

/**
 * Like {@link buildFunctions}, and again whenever a file changes that a bundle is made of.
 *
 * @returns when every first build has ended, well or not.
 */
export async function watchFunctions(options: WatchFunctionsOptions): Promise<{ readonly stop: () => Promise<void> }> {
  const contexts: BuildContext[] = [];
  for (const name of Object.keys(BUNDLES)) {
    const { promise: firstEnded, resolve: endFirst } = Promise.withResolvers<void>();
    const report: Plugin = {
      name: 'report',
      setup: ({ onEnd }) =>
        onEnd(async (result) => {
          if (result.errors.length > 0) {
            options.onFailure(
              result.errors.map(({ text, location }) =>
                location === null ? text : `${location.file}:${location.line}: ${text}`,
              ),
            );
          } else {
            options.onBuild(await store(name, options.outDir, result));
          }
          endFirst();
        }),
    };
    const base = esbuildOptions(name, options);
    const watching = await context({ ...base, plugins: [...base.plugins, report] });
    contexts.push(watching);
    await watching.watch();
    await firstEnded;
  }
  return {
    stop: async () => {
      for (const watching of contexts) await watching.dispose();
    },
  };
}

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  logLevel: 'silent',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  // The SDK's ESM builds can be shaken; its CommonJS ones double the bundle.
  mainFields: ['module', 'main'],
  // lambda/adapters/environment-credentials.ts says why.
  alias: { '@aws-sdk/credential-provider-node': join(root, 'lambda/adapters/environment-credentials.ts') },
  // Loaded by the SDK for operations that stream events alone, and we use none.
  external: ['@smithy/core/event-streams'],
  legalComments: 'none',
} satisfies BuildOptions;

/** A client reads its own version from its package file, which would be in the bundle with everything that npm writes there. */
const versionOnly: Plugin = {
  name: 'version-only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@aws-sdk\/client-[a-z0-9-]+\/package\.json$/ }, async ({ path }) => {
      const { version }: { readonly version: string } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    }),
};

const esbuildOptions = (name: string, { outDir, sourcesFile, plugins = [] }: BuildFunctionsOptions) =>
  ({
    ...COMMON,
    write: false,
    entryPoints: [join(root, entryOf(name))],
    outfile: resolve(root, outDir, name, BUNDLE_FILE),
    plugins: [
      ...plugins,
      leaveOnDemand,
      versionOnly,
      ...(sourcesFile === undefined ? [] : [replaceSources(resolve(sourcesFile))]),
    ],
  }) satisfies BuildOptions;

const leaveOnDemand: Plugin = {
  name: 'leave-on-demand',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === 'dynamic-import' && resolve(resolveDir, path) === ON_DEMAND.entry
        ? { path: `./${ON_DEMAND.file}`, external: true }
        : undefined,
    ),
};

let onDemand: Promise<Uint8Array> | undefined;

/** Its bytes, which are the same for every function. */
function buildOnDemand(): Promise<Uint8Array> {
  // The client of S3 imports what streams events at once, although none of the operations here does.
  const options = { ...COMMON, external: [], entryPoints: [ON_DEMAND.entry], plugins: [versionOnly] };
  onDemand ??= build({ ...options, write: false }).then(({ outputFiles: [output] }) => {
    if (output === undefined) throw new Error(`esbuild made nothing of ${ON_DEMAND.entry}`);
    return output.contents;
  });
  return onDemand;
}

function entryOf(name: string): string {
  const found = Object.entries(BUNDLES).find(([key]) => key === name);
  if (found === undefined) throw new RangeError(`no function is named ${name}`);
  return found[1].entry;
}

/** Any import of the shipped sources becomes `file`, except one by `file`, which may build on them. */
const replaceSources = (file: string): Plugin => ({
  name: 'replace-sources',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/sources\.ts$/ }, ({ path, resolveDir, importer }) =>
      resolve(resolveDir, path) === ownSources && importer !== file ? { path: file } : undefined,
    ),
});

/** Writes a built bundle and what it is made of. The folder becomes the deployed archive, so nothing else stays in it. */
async function store(name: string, outDir: string, result: BuildResult): Promise<Bundle> {
  const file = resolve(root, outDir, name, BUNDLE_FILE);
  const output = result.outputFiles?.find(({ path }) => path === file);
  if (output === undefined) throw new Error(`esbuild wrote no ${file}`);

  await rm(dirname(file), { recursive: true, force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, output.contents);
  if (importsOnDemand(result)) await writeFile(join(dirname(file), ON_DEMAND.file), await buildOnDemand());
  const meta = resolve(root, outDir, 'meta', `${name}.json`);
  await mkdir(dirname(meta), { recursive: true });
  await writeFile(meta, JSON.stringify(result.metafile));

  return { name, file, bytes: output.contents.byteLength };
}

const importsOnDemand = ({ metafile }: BuildResult): boolean =>
  Object.values(metafile?.outputs ?? {}).some(({ imports }) =>
    imports.some(({ path }) => path === `./${ON_DEMAND.file}`),
  );
