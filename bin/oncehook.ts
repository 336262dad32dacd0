#!/usr/bin/env node
/**
 * The operator CLI: joins the commands of `lambda/operator/` to this process, and ends with their exit code.
 */
import { resolve } from 'node:path';
import { systemChance, systemClock } from '../lambda/adapters/system.ts';
import { seconds } from '../lambda/core/time.ts';
import { run } from '../lambda/operator/command-line/run.ts';
import { loadSources, readBody, readLocalState, writeNewFile } from '../lambda/operator/outside/files.ts';
import { createPost } from '../lambda/operator/outside/http-post.ts';
import { createInterruption } from '../lambda/operator/outside/interruption.ts';
import { operatorName } from '../lambda/operator/outside/operator-name.ts';
import { createProcessTerminal } from '../lambda/operator/outside/terminal.ts';

const root = resolve(import.meta.dirname, '..');
const sourcesFile = process.env['ONCEHOOK_SOURCES'] ?? resolve(root, 'lambda/handlers/sources.ts');
const stateFile = process.env['ONCEHOOK_STATE_FILE'] ?? resolve(root, '.oncehook/local.json');

/** As long as an HTTP API takes at most. */
const ANSWER_TIMEOUT = seconds(30);

const terminal = createProcessTerminal();
const interruption = createInterruption(() =>
  terminal.note('ending after what is under way; Ctrl-C again ends at once'),
);

// A reader that has seen enough, such as `head`, is no error. What is under way is ended first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(1);
  if (!interruption.interrupt()) process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  terminal,
  clock: systemClock,
  chance: systemChance,
  post: createPost(ANSWER_TIMEOUT),
  loadSources: () => loadSources(sourcesFile),
  readLocalState: () => readLocalState(stateFile),
  readFile: readBody,
  writeNewFile,
  operatorName,
  untilInterrupted: interruption.untilInterrupted,
  // The AWS SDK is large; only commands that need it wait for it.
  async openSecretStore(place) {
    const { createSecretsManagerClient, createSecretsManagerStore } = await import(
      '../lambda/operator/outside/secrets-manager.ts'
    );
    return createSecretsManagerStore(createSecretsManagerClient(place), place);
  },
  async openDeployment(place) {
    const { openDeployment } = await import('../lambda/operator/outside/aws/open-deployment.ts');
    return openDeployment(place);
  },
});
