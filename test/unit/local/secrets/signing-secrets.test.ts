import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDataFolder, saveDataFolder } from '../../../../local/secrets/data-folder.ts';
import { createSecretStore } from '../../../../local/secrets/secret-store.ts';
import { readSigningSecrets, seedSigningSecrets } from '../../../../local/secrets/signing-secrets.ts';
import type { SourceDescription } from '../../../../local/synth/sources.ts';

const aSource = (name: string, provider: string, secret: SourceDescription['secret']): SourceDescription => ({
  name,
  provider,
  secret,
  types: ['a.type'],
});

const STRIPE = aSource('stripe', 'stripe', { encoding: 'utf8', minKeyBytes: 16 });
const GITHUB = aSource('github', 'github', { encoding: 'utf8', minKeyBytes: 16 });
const BAZAAR = aSource('bazaar', 'standard-webhooks', { encoding: 'base64', stripPrefix: 'whsec_', minKeyBytes: 24 });
const POSTMARK = aSource('mail', 'postmark', { encoding: 'utf8', minKeyBytes: 14 });
const RAW = aSource('raw', 'hmac', { encoding: 'hex', minKeyBytes: 64 });

function seeded(...sources: readonly SourceDescription[]) {
  const store = createSecretStore();
  store.create('signing', 'arn');
  seedSigningSecrets(store, 'signing', sources);
  return store;
}

describe('the signing secrets that sources are given', () => {
  it('have the form their provider issues', () => {
    const secrets = readSigningSecrets(seeded(STRIPE, GITHUB, BAZAAR, POSTMARK, RAW), 'signing');

    expect(secrets['stripe']).toEqual([expect.stringMatching(/^whsec_[0-9a-f]{64}$/)]);
    expect(secrets['github']).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(secrets['bazaar']).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
    expect(secrets['mail']).toEqual([expect.stringMatching(/^oncehook:[0-9a-f]{64}$/)]);
    expect(secrets['raw']).toEqual([expect.stringMatching(/^[0-9a-f]{128}$/)]);
  });

  it('stay when another source is added', () => {
    const store = seeded(STRIPE);
    const before = readSigningSecrets(store, 'signing');

    seedSigningSecrets(store, 'signing', [STRIPE, GITHUB]);

    const after = readSigningSecrets(store, 'signing');
    expect(after['stripe']).toEqual(before['stripe']);
    expect(Object.keys(after)).toEqual(['stripe', 'github']);
  });

  it('are put once, not at every start', () => {
    const store = seeded(STRIPE);

    seedSigningSecrets(store, 'signing', [STRIPE]);

    expect(store.find('signing')?.versions).toHaveLength(1);
  });
});

describe('the data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oncehook-test-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives the next run the same credentials and secrets, and nobody else', () => {
    const { credentials } = openDataFolder(folder);
    const store = seeded(STRIPE);
    saveDataFolder(folder, { credentials, secrets: store.all() });

    const again = openDataFolder(folder);

    expect(again.credentials).toEqual(credentials);
    expect(again.secrets).toEqual(store.all());
    expect(statSync(join(folder, 'local-aws.json')).mode & 0o777).toBe(0o600);
  });
});
