import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';

/**
 * The functions there are. The build script makes one bundle of each and the stack deploys
 * it, so both read this list.
 */
export const BUNDLES = {
  receive: { entry: 'lambda/entry/receive.ts' },
  work: { entry: 'lambda/entry/work.ts' },
  dispatch: { entry: 'lambda/entry/dispatch.ts' },
  sweep: { entry: 'lambda/entry/sweep.ts' },
  consume: { entry: 'lambda/entry/consume.ts' },
  deliver: { entry: 'lambda/entry/deliver.ts' },
} as const;

export type FunctionName = keyof typeof BUNDLES;

/** The file in a bundle's folder; ESM by its ending, so no `package.json` is deployed. */
export const BUNDLE_FILE = 'index.mjs';

/** What Lambda calls: the export `handler` of {@link BUNDLE_FILE}. */
export const BUNDLE_HANDLER = 'index.handler';

/** @throws Refusal naming a bundle that is not in `folder`, and what makes it. */
export function requireBundles(folder: string): void {
  const missing = Object.keys(BUNDLES).find((name) => !existsSync(join(folder, name, BUNDLE_FILE)));
  if (missing !== undefined) {
    throw new Refusal([`dist/${missing}/${BUNDLE_FILE} is missing; build the functions first: node scripts/build.ts`]);
  }
}
