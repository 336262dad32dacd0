/**
 * The CDK app: settings → stack. Run by `npx cdk`, which builds the functions first.
 */
import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { requireBundles } from '../lib/bundles.ts';
import { loadDeclarations } from '../lib/declarations.ts';
import { ReceiverStack } from '../lib/receiver-stack.ts';
import { Refusal } from '../lib/refusal.ts';
import { readSettings } from '../lib/settings.ts';

// Local AWS builds into a folder of its own, so that it never disturbs what is to be deployed.
const bundles = process.env['ONCEHOOK_BUNDLES'] ?? resolve(import.meta.dirname, '../dist');

try {
  const app = new App();
  const declarations = await loadDeclarations({ sources: process.env['ONCEHOOK_SOURCES'] });
  const settings = readSettings(app.node.getAllContext(), declarations.sources);
  requireBundles(bundles);

  new ReceiverStack(app, `Oncehook-${settings.stage}`, { settings, declarations, bundles });
} catch (error) {
  if (!isForTheAuthor(error)) throw error;
  for (const problem of error.message.split('\n')) console.error(`oncehook: ${problem}`);
  process.exit(1);
}

/** A mistake in settings or in `lambda/handlers/`, for which a stack trace says nothing more. */
function isForTheAuthor(error: unknown): error is Error {
  return error instanceof Refusal || (error instanceof Error && error.name === 'OncehookError');
}
