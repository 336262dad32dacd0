import { describe, expect, it } from 'vitest';
import { epochMs, toEpochSeconds } from '../../../lambda/core/time.ts';
import { defineSources, linear, mux } from '../../../lambda/oncehook.ts';
import { prepareDelivery } from '../../../lambda/operator/delivery/prepare-delivery.ts';
import { stampBody } from '../../../lambda/operator/delivery/stamp-body.ts';
import { samplesOf } from '../../../lambda/operator/samples/samples-of.ts';
import { requireSignable } from '../../../lambda/operator/signable-source.ts';
import type { AnyPreset, ProviderPreset } from '../../../lambda/providers/preset.ts';
import { signDelivery, whyUnsignable } from '../../../lambda/providers/sign.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { identify } from '../../../lambda/receive/identify.ts';
import { type CodeSender, codeSenders } from '../../support/code-senders.ts';
import { CONTRACT_ROWS, presetOf } from '../providers/contract-rows.ts';

const NOW = epochMs(1_760_000_000_000);
const URL = 'https://hooks.example/in';

const sourceOf = (provider: AnyPreset) => {
  const { scheme } = provider;
  const signsUrl =
    scheme.kind === 'code' ? scheme.signsUrl === true : scheme.kind !== 'token' && scheme.signed.includes('url');
  const definition = { provider, on: { x: async () => {} }, ...(signsUrl ? { publicUrl: URL } : {}) };
  const source = defineSources({ s: definition }).get('s');
  if (source === undefined) throw new Error('no source');
  return source;
};

const rows = Object.entries(CONTRACT_ROWS)
  .filter(([name]) => !name.startsWith('the example'))
  .map(([name, row]) => ({ name, row, provider: presetOf(row) }));
const signable = rows.filter(({ provider }) => whyUnsignable(provider.scheme) === undefined);
const samples = signable.flatMap(({ name, row, provider }) =>
  [
    ...Object.keys(samplesOf(provider).types),
    ...(samplesOf(provider).generic === undefined ? [] : ['other.thing']),
  ].map((type) => [name, type, row.secret, provider] as const),
);

describe('a sample', () => {
  it.each(samples)('of %s, %s, is verified and is the event that was asked for', (_name, type, secret, provider) => {
    const source = requireSignable(sourceOf(provider));
    const uuid = '0a1b2c3d-0000-4000-8000-0123456789ab';
    const delivery = prepareDelivery({ source, type, id: undefined, file: undefined, now: NOW, uuid });
    const unsigned = { id: delivery.id, timestamp: toEpochSeconds(NOW), body: delivery.body, url: URL };

    const body = stampBody(provider.scheme, secret, unsigned);
    const headers = { ...delivery.headers, ...signDelivery(provider.scheme, secret, { ...unsigned, body }) };

    expect(verifySignature(provider.scheme, { headers, body, url: URL }, [secret], NOW).kind).toBe('verified');
    const request = { method: 'POST', source: 's', query: '', headers, body, receivedAt: NOW };
    const identified = identify(source, request, body);
    const [item] = identified.kind === 'identified' ? identified.items : [];
    expect(item).toMatchObject({ kind: 'event', event: { types: expect.arrayContaining([type]) } });
    if (delivery.eventId !== undefined) expect(item).toMatchObject({ event: { eventId: delivery.eventId } });
    expect(delivery.notes).toEqual([]);
  });

  it('is there for every preset with a secret to sign with', () => {
    const without = signable.filter(({ name }) => !samples.some(([other]) => other === name));

    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('is not there where only the provider can sign, and the reason is said', () => {
    const others = rows.filter((row) => !signable.includes(row));

    expect(others.map(({ name }) => name)).toEqual(['standard webhooks, asymmetric', 'discord', 'sendgrid']);
    for (const { provider } of others) {
      expect(() => requireSignable(sourceOf(provider))).toThrow(
        'deliveries of s cannot be signed here: the provider signs with a private key that only it has',
      );
    }
  });
});

describe('a sample of a provider whose scheme is code', () => {
  const hasPrivateKey = ([, { preset }]: readonly [string, CodeSender]) => preset.scheme.privateKey === true;
  const withSecret = codeSenders.filter((sender) => !hasPrivateKey(sender));

  it.each(
    withSecret.flatMap(([name, { preset, secret }]) =>
      [...Object.keys(samplesOf(preset).types), 'other.thing'].map((type) => [name, type, secret, preset] as const),
    ),
  )('of %s, %s, is verified and is the event that was asked for', (_name, type, secret, preset) => {
    const source = requireSignable(sourceOf(preset));
    const uuid = '0a1b2c3d-0000-4000-8000-0123456789ab';
    const delivery = prepareDelivery({ source, type, id: undefined, file: undefined, now: NOW, uuid });
    const unsigned = { id: delivery.id, timestamp: toEpochSeconds(NOW), body: delivery.body, url: URL };

    const signed = source.signer.sign(secret, unsigned);
    const headers = { ...delivery.headers, ...signed.headers };

    const verdict = preset.scheme.verify({
      request: { method: 'POST', url: URL, headers, body: signed.body },
      secrets: [secret],
      now: NOW,
      toleranceSeconds: undefined,
      documentOf: () => undefined,
    });
    expect(verdict).toEqual({ kind: 'verified', secretIndex: 0 });
    const request = { method: 'POST', source: 's', query: '', headers, body: signed.body, receivedAt: NOW };
    const identified = identify(source, request, signed.body);
    const [item] = identified.kind === 'identified' ? identified.items : [];
    expect(item).toMatchObject({ kind: 'event', event: { types: expect.arrayContaining([type]) } });
    if (delivery.eventId !== undefined) expect(item).toMatchObject({ event: { eventId: delivery.eventId } });
    expect(delivery.notes).toEqual([]);
  });

  it('is not there where only the provider can sign', () => {
    const without = codeSenders.filter(hasPrivateKey);

    expect(without.map(([name]) => name)).toEqual(['paypal', 'plaid', 'aws-sns']);
    for (const [name, { preset }] of without) {
      expect(() => requireSignable(sourceOf(preset))).toThrow(`nobody else can sign for ${name}: it has a private key`);
    }
  });
});

describe('a body that has the time or the signature inside', () => {
  const prepared = (name: string, text: string) => {
    const row = CONTRACT_ROWS[name];
    if (row === undefined) throw new Error(`no row ${name}`);
    const unsigned = { id: 'x', timestamp: toEpochSeconds(NOW), body: Buffer.from(text) };
    return () => JSON.parse(Buffer.from(stampBody(presetOf(row).scheme, row.secret, unsigned)).toString());
  };

  it('gets both when it is signed, and keeps the rest', () => {
    expect(prepared('linear', '{"a":1,"webhookTimestamp":7}')()).toEqual({ a: 1, webhookTimestamp: NOW });
    expect(prepared('mailgun', '{"a":1,"signature":{"token":"t"}}')()).toEqual({
      a: 1,
      signature: { token: 't', timestamp: '1760000000', signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('is said of a file, whose other bytes are otherwise sent as they are', () => {
    const notesOf = (provider: ProviderPreset, type: string) => {
      const source = requireSignable(sourceOf(provider));
      const file = Buffer.from(
        '{"action":"update","type":"Issue","id":"e1","data":{"id":"1","updatedAt":"2025-10-09"}}',
      );
      return prepareDelivery({ source, type, id: undefined, file, now: NOW, uuid: 'u' }).notes;
    };

    expect(notesOf(linear(), 'Issue.update')).toEqual(['the time and the signature in the body are written anew']);
    expect(notesOf(mux(), 'Issue')).toEqual([]);
  });

  it('is refused where it has no place for them', () => {
    expect(prepared('linear', '[]')).toThrow('the body must be a JSON object');
    expect(prepared('mailgun', '{}')).toThrow('the body cannot be signed: this scheme signs the field signature.token');
  });
});
