/**
 * How long the receive bundle takes to load, against a default bundle of the bare DynamoDB and SQS
 * clients: what a cold start waits for. Budget: at most 0.85 of it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ENV } from '../lambda/contract.ts';
import { buildFunctions } from '../scripts/build-functions.ts';
import { inTurns, median, report } from './round.ts';

const ROUNDS = 21;
const root = resolve(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'oncehook-bench-'));

const [receive] = await buildFunctions({ outDir: folder });
const bare = join(folder, 'bare.mjs');
await build({
  stdin: {
    contents: `
      import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
      import { SQSClient } from '@aws-sdk/client-sqs';
      export const clients = [new DynamoDBClient({}), new SQSClient({})];`,
    resolveDir: root,
  },
  outfile: bare,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  mainFields: ['module', 'main'],
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
});
const timer = join(folder, 'timer.mjs');
await writeFile(
  timer,
  'const begun = performance.now(); await import(process.argv[2]); process.stdout.write(String(performance.now() - begun));',
);

const env = {
  PATH: process.env['PATH'],
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  ...Object.fromEntries(Object.values(ENV).map((name) => [name, '1'])),
};
const load = async (file: string): Promise<number> => {
  const { stdout, status, stderr } = spawnSync(process.execPath, [timer, file], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  return Number(stdout);
};

const times = await inTurns(ROUNDS, { receive: () => load(receive?.file ?? ''), bare: () => load(bare) });
const [own, reference] = [median(times.receive), median(times.bare)];
report(`Import of the receive bundle, median of ${ROUNDS} fresh processes`, [
  ['receive bundle', `${own.toFixed(1)} ms`],
  ['bare DynamoDB and SQS clients', `${reference.toFixed(1)} ms`],
  ['ratio (budget 0.85)', (own / reference).toFixed(2)],
]);
await rm(folder, { recursive: true });
