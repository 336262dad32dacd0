#!/usr/bin/env node
/**
 * The operator CLI: joins the commands of `lambda/operator/` to this process, and ends with their exit code.
 */
import { resolve } from 'node:path';
import { systemChance, systemClock } from '../lambda/adapters/system.ts';
import { seconds } from '../lambda/core/time.ts';
import { run } from '../lambda/operator/command-line/run.ts';
import { loadSources, readBody, readLocalState } from '../lambda/operator/outside/files.ts';
import { createPost } from '../lambda/operator/outside/http-post.ts';
import { createProcessTerminal } from '../lambda/operator/outside/terminal.ts';

const root = resolve(import.meta.dirname, '..');
const sourcesFile = process.env['ONCEHOOK_SOURCES'] ?? resolve(root, 'lambda/handlers/sources.ts');
const stateFile = process.env['ONCEHOOK_STATE_FILE'] ?? resolve(root, '.oncehook/local.json');

/** As long as an HTTP API takes at most. */
const ANSWER_TIMEOUT = seconds(30);

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), {
  terminal: createProcessTerminal(),
  clock: systemClock,
  chance: systemChance,
  post: createPost(ANSWER_TIMEOUT),
  loadSources: () => loadSources(sourcesFile),
  readLocalState: () => readLocalState(stateFile),
  readFile: readBody,
  // The AWS SDK is large; only commands that need it wait for it.
  async openSecretStore(place) {
    const { createSecretsManagerClient, createSecretsManagerStore } = await import(
      '../lambda/operator/outside/secrets-manager.ts'
    );
    return createSecretsManagerStore(createSecretsManagerClient(place), place);
  },
});
