import type { Command } from 'commander';
import type { Sources } from '../../authoring/define-sources.ts';
import { targetOfSecretName } from '../../core/target.ts';
import { choosePlace, describePlace as describeDeployment } from '../deployment/place.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { findSecretOwner, knownSecretOwner, type SecretOwner } from '../known-source.ts';
import type { SigningSecretStore } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import type { SecretChange } from '../secret/change-secrets.ts';
import { chooseSecretPlace, type SecretPlace } from '../secret/choose-secret-place.ts';
import { formatMasked, maskSecrets } from '../secret/masked-secret.ts';
import { readSecret } from '../secret/new-secret.ts';
import { addSecret } from '../secret-add.ts';
import { dropSecret } from '../secret-drop.ts';
import { setSecret } from '../secret-set.ts';
import { readSecrets } from '../secret-show.ts';
import type { Surroundings } from './surroundings.ts';

/** Options that every verb of `secret` has. */
interface PlaceOptions {
  readonly stack?: string;
  readonly local?: true;
  readonly secretId?: string;
  readonly region?: string;
  readonly json?: true;
}

export function addSecretCommand(program: Command, surroundings: Surroundings, end: (code: ExitCode) => void): void {
  const secret = program
    .command('secret')
    .summary('the signing secrets of the sources')
    .description(
      'Keeps the signing secrets of the sources: the current one and, while a provider rotates, the one before.\n' +
        'A secret is read from standard input, or asked for without showing it; never from an argument.',
    )
    .addHelpText('after', HELP);

  const verb = (name: string, summary: string) =>
    secret
      .command(name)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .argument('<source>', 'a source of lambda/handlers/sources.ts, or deliver:<target>')
      // Looked at below: commander would repeat them, and one of them may be a secret.
      .allowExcessArguments()
      .option('--stack <name>', 'of a stack in AWS, found by its outputs')
      .option('--local', 'of the local AWS that runs (default, unless --stack or --secret-id is given)')
      .option('--secret-id <id>', 'name or ARN of the secret in AWS; with --local, in local AWS')
      .option(
        '--region <region>',
        'AWS Region of --stack or --secret-id (default: of its ARN, or as for the aws command)',
      )
      .option('--json', 'one JSON object')
      .addHelpText('after', EXIT_CODES);

  verb('set', 'make a secret from standard input the only one')
    .option('--replace-broken', 'start anew when what is stored for all sources cannot be read')
    .action(async (name: string, options: PlaceOptions & { replaceBroken?: true }, command: Command) => {
      refuseExtraArguments(command);
      const { sources, store } = await open(options, surroundings);
      const owner = knownSecretOwner(sources, name);
      const value = await readSecret(surroundings.terminal, owner.name);
      const change = await setSecret(store, owner, value, options.replaceBroken === true);
      end(reportChange(owner.name, change, sources, options, surroundings));
    });

  verb('add', 'put a new current secret from standard input before the existing one').action(
    async (name: string, options: PlaceOptions, command: Command) => {
      refuseExtraArguments(command);
      const { sources, store } = await open(options, surroundings);
      const owner = knownSecretOwner(sources, name);
      const value = await readSecret(surroundings.terminal, owner.name);
      end(reportChange(owner.name, await addSecret(store, owner, value), sources, options, surroundings));
    },
  );

  verb('drop', 'remove the previous secret, or the one with an index')
    .option('--index <n>', 'which one, as show counts them: 1 is the current')
    .action(async (name: string, options: PlaceOptions & { index?: string }, command: Command) => {
      refuseExtraArguments(command);
      const index = readIndex(options.index);
      const { sources, store } = await open(options, surroundings);
      const change = await dropSecret(store, name, index);
      end(reportChange(name, change, sources, options, surroundings));
    });

  verb('show', 'list the secrets, masked').action(async (name: string, options: PlaceOptions, command: Command) => {
    refuseExtraArguments(command);
    const { sources, store } = await open(options, surroundings);
    const secrets = await readSecrets(store, name);
    if (secrets.length === 0) knownSecretOwner(sources, name);
    report(name, secrets, findSecretOwner(sources, name), options, surroundings);
    end(EXIT.done);
  });
}

const EXIT_CODES = `
Exit codes:
  0  done
  1  refused, and nothing was changed unless the message says so`;

const HELP = `
${EXIT_CODES.trim()}

Examples:
  npx oncehook secret set stripe                                 asks for it
  npx oncehook secret set stripe --stack NAME < secret.txt       in AWS
  openssl rand -hex 32 | npx oncehook secret add github
  npx oncehook secret drop github
  npx oncehook secret show github

A receiver takes a new secret up within 5 minutes, or at the first delivery that fits none it knows.`;

async function open(
  { stack, local, secretId, region }: PlaceOptions,
  surroundings: Surroundings,
): Promise<{ readonly sources: Sources; readonly store: SigningSecretStore }> {
  const sources = await surroundings.loadSources();
  if (stack !== undefined) {
    if (secretId !== undefined) throw new Refusal('--stack and --secret-id are two places: give one of them');
    const stackPlace = choosePlace({ stack, local: local === true, region }, undefined);
    surroundings.terminal.note(describeDeployment(stackPlace));
    return { sources, store: await (await surroundings.openDeployment(stackPlace)).secrets() };
  }
  const wish = { local: local === true, secretId, region };
  const state = secretId !== undefined && !wish.local ? undefined : surroundings.readLocalState();
  const place = chooseSecretPlace(wish, state);
  surroundings.terminal.note(describePlace(place));
  return { sources, store: await surroundings.openSecretStore(place) };
}

const describePlace = ({ isLocal, secretId, endpoint, region }: SecretPlace): string =>
  isLocal ? `in local AWS (${endpoint})` : `in AWS: ${secretId}${region === undefined ? '' : ` (${region})`}`;

function refuseExtraArguments({ args }: Command): void {
  if (args.length <= 1) return;
  throw new Refusal(
    'a secret is never an argument: it would be visible in the list of processes and in the shell history. ' +
      'Pipe it in, or type it when asked; one that was typed here should be replaced',
  );
}

function readIndex(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Refusal('--index counts from 1');
  return Number(text);
}

function reportChange(
  source: string,
  { secrets, warning }: SecretChange,
  sources: Sources,
  options: PlaceOptions,
  surroundings: Surroundings,
): ExitCode {
  if (warning !== undefined) surroundings.terminal.note(`note: ${warning}`);
  if (secrets.length === 0) {
    surroundings.terminal.note(
      targetOfSecretName(source) === undefined
        ? `note: every delivery of ${source} is answered 503 until it has a secret`
        : `note: every message for ${source} waits until it has a secret`,
    );
  }
  report(source, secrets, findSecretOwner(sources, source), options, surroundings);
  return EXIT.done;
}

function report(
  source: string,
  secrets: readonly string[],
  owner: SecretOwner | undefined,
  { json }: PlaceOptions,
  { terminal }: Surroundings,
): void {
  const masked = maskSecrets(secrets, owner?.format);
  if (json === true) {
    terminal.print(JSON.stringify({ source, secrets: masked }));
    return;
  }
  terminal.print(`${source}: ${secrets.length === 0 ? 'no secret' : countOf(secrets.length)}`);
  for (const secret of masked) terminal.print(formatMasked(secret));
}

const countOf = (count: number): string => (count === 1 ? '1 secret' : `${count} secrets`);
