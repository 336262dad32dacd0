/**
 * Builds the functions into `dist/`: `node scripts/build.ts`. `npx cdk` runs it before each synth, and both
 * take their sources from `ONCEHOOK_SOURCES` where it names a module.
 */
import { BUNDLE_FILE } from '../lib/bundles.ts';
import { buildFunctions } from './build-functions.ts';

const bundles = await buildFunctions({ outDir: 'dist', sourcesFile: process.env['ONCEHOOK_SOURCES'] });

for (const { name, bytes } of bundles) {
  console.log(`dist/${name}/${BUNDLE_FILE}  ${(bytes / 1000).toFixed(1)} KB`);
}
