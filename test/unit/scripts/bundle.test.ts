import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, buildFunctions } from '../../../scripts/build-functions.ts';

let folder = '';
let receive: Bundle;
let inputs: readonly string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-bundle-'));
  const [first] = await buildFunctions({ outDir: folder });
  if (first === undefined) throw new Error('no bundle');
  receive = first;
  const meta: Metafile = JSON.parse(await readFile(join(folder, 'meta/receive.json'), 'utf8'));
  inputs = Object.values(meta.outputs).flatMap((output) => Object.keys(output.inputs));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the receive bundle', () => {
  it('is at most 340 KB', () => {
    expect(receive.bytes).toBeLessThanOrEqual(340 * 1024);
  });

  it('has no credential chain: Lambda gives credentials in the environment', () => {
    expect(inputs.filter((path) => /credential-provider-(?!env)|client-sso|token-providers/.test(path))).toEqual([]);
  });

  it.each([
    '@aws-sdk/client-s3',
    '@smithy/core/dist-es/submodules/event-streams',
    'stripe/',
    '@octokit/',
    'standardwebhooks',
    'valibot',
    'aws-xray-sdk',
    'commander',
  ])('has nothing of %s', (name) => {
    expect(inputs.filter((path) => path.includes(`node_modules/${name}`))).toEqual([]);
  });

  it.each(['adyen', 'aws-sns', 'microsoft-graph', 'paypal', 'plaid', 'postmark', 'sslcommerz', 'twilio'])(
    'has nothing of the preset %s, which no source uses',
    (name) => {
      expect(inputs).not.toContain(`lambda/providers/${name}.ts`);
    },
  );

  it('has no hook for faults and nothing of local AWS or of the operator', () => {
    expect(inputs.filter((path) => /^(local|test|lib|bin)\/|lambda\/operator/.test(path))).toEqual([]);
  });

  it('has only the presets that the sources use', () => {
    const presets = inputs.filter((path) => /name: '[a-z0-9-]+',\n {4}scheme/.test(readFileSync(path, 'utf8')));

    expect(presets.map((path) => basename(path, '.ts')).sort()).toEqual(['github', 'standard-webhooks', 'stripe']);
  });

  it('is the same bytes whenever and wherever it is built', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'oncehook-bundle-'));
    const [again] = await buildFunctions({ outDir: elsewhere });

    expect(await readFile(again?.file ?? '')).toEqual(await readFile(receive.file));
    await rm(elsewhere, { recursive: true });
  });
});
