import { describe, expect, it } from 'vitest';
import type { DocumentAnswer, DocumentRequest } from '../../../lambda/core/document-ports.ts';
import { type EpochMs, plus } from '../../../lambda/core/time.ts';
import * as oncehook from '../../../lambda/oncehook.ts';
import { decodeSecret } from '../../../lambda/providers/secret-key.ts';
import { CERTIFICATE_VALID, type CodeSender, codeSenders, type Sent } from '../../support/code-senders.ts';
import { codeVerdict } from '../../support/code-verdict.ts';
import { T0 } from '../../support/manual-clock.ts';

interface Changes {
  readonly sent?: Partial<Sent>;
  readonly bytes?: Uint8Array;
  readonly secrets?: readonly string[];
  readonly url?: string;
  readonly at?: EpochMs;
  readonly publish?: (request: DocumentRequest) => DocumentAnswer;
}

function verify(sender: CodeSender, { sent, bytes, secrets, url, at, publish }: Changes = {}) {
  const { headers, body } = { ...sender.send('e1', sender.secret, T0), ...sent };
  const whose = publish ?? sender.publish;
  return codeVerdict(sender.preset.scheme, {
    url: url ?? sender.publicUrl ?? '',
    headers,
    body: bytes ?? body,
    secrets: secrets ?? [sender.secret],
    ...(at === undefined ? {} : { at }),
    ...(whose === undefined ? {} : { publish: whose }),
  });
}

describe.each(codeSenders)('preset contract: %s, whose scheme is code', (name, sender) => {
  const { preset } = sender;
  const genuine = sender.send('e1', sender.secret, T0);
  /** Of what these prove, the body is no part, or not the only one. */
  const provesBody = name !== 'postmark' && name !== 'microsoft-graph';

  it('accepts a genuine delivery', () => {
    expect(verify(sender).verdict).toEqual({ kind: 'verified', secretIndex: 0 });
  });

  it('accepts the second of two secrets and says which one it was', () => {
    expect(verify(sender, { secrets: [sender.otherSecret, sender.secret] }).verdict).toEqual({
      kind: 'verified',
      secretIndex: 1,
    });
  });

  it('refuses another secret', () => {
    expect(verify(sender, { secrets: [sender.otherSecret] }).verdict.kind).toBe('rejected');
  });

  it.each([[[]], [['']], [['  \n']], [['', ' ']]])('has no key among the secrets %j', (secrets) => {
    expect(verify(sender, { secrets }).verdict).toEqual({ kind: 'rejected', reason: 'no_usable_secret' });
  });

  it('passes over an empty secret beside a good one', () => {
    expect(verify(sender, { secrets: ['', sender.secret] }).verdict).toEqual({ kind: 'verified', secretIndex: 1 });
  });

  if (provesBody) {
    it('refuses a delivery of which the id was changed', () => {
      const body = genuine.body.replace('e1', 'e2');
      expect(body).not.toBe(genuine.body);

      expect(verify(sender, { sent: { body } }).verdict.kind).toBe('rejected');
    });
  }

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '"text"',
    '{"value":[{}],"notificationItems":[{}]}',
    'a=b&a=c',
    genuine.body.slice(0, -2),
  ])('has no proof in the body %j', (body) => {
    if (name === 'postmark') return;
    expect(verify(sender, { sent: { body } }).verdict.kind).toBe('rejected');
  });

  it('has no proof in a body that is no text', () => {
    if (name === 'postmark') return;
    expect(verify(sender, { bytes: Uint8Array.of(0, 255, 254, 13, 10) }).verdict.kind).toBe('rejected');
  });

  it.each(preset.scheme.requires)('refuses a delivery without %s, blank, doubled or too long', (header) => {
    const { [header]: value = '', ...others } = genuine.headers;

    expect(verify(sender, { sent: { headers: others } }).verdict).toEqual({
      kind: 'rejected',
      reason: 'missing_header',
    });
    for (const other of [
      '',
      ' ',
      `${value},${value}`,
      `${value}, ${value}`,
      `${value}${'a'.repeat(9000)}`,
      'ü',
      value.slice(0, -3),
    ]) {
      expect(verify(sender, { sent: { headers: { ...others, [header]: other } } }).verdict.kind).toBe('rejected');
    }
  });

  it('names every header in lower case, and shows none to a handler that authenticates', () => {
    for (const header of [...preset.headers, ...preset.scheme.requires]) expect(header).toBe(header.toLowerCase());
    const isProof = (header: string): boolean => /sig|authorization|verification|cert|algo/.test(header);
    expect(preset.headers.filter(isProof)).toEqual([]);
  });

  it('asks only one of its own hosts, over https, and names the document without a credential', () => {
    const { asked } = verify(sender);

    expect(asked).toHaveLength(sender.publish === undefined ? 0 : 1);
    for (const { url, hosts, name: called } of asked) {
      expect(url.startsWith('https://')).toBe(true);
      expect(hosts).toEqual([new URL(url).host]);
      expect(called).not.toContain('secret-one');
    }
  });

  it('believes no document that is not there or is something else', () => {
    if (sender.publish === undefined) return;
    for (const text of [
      '',
      'null',
      '<html>',
      '{"key":{}}',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    ]) {
      expect(verify(sender, { publish: () => ({ kind: 'found', text }) }).verdict).toEqual({
        kind: 'rejected',
        reason: 'key_not_found',
      });
    }
    expect(verify(sender, { publish: () => ({ kind: 'absent' }) }).verdict.kind).toBe('rejected');
  });

  it('says where the type is, how long copies may come, and what success is', () => {
    expect(preset.type.length).toBeGreaterThan(0);
    expect(preset.retryHorizon).toBeGreaterThan(0);
    expect(preset.deadline ?? 1).toBeGreaterThan(0);
    expect(preset.name).toBe(name);
  });

  it('takes its own secret as long enough, and nothing that is much shorter', () => {
    const { secret } = preset.scheme;

    expect(decodeSecret(secret, sender.secret)?.byteLength).toBeGreaterThanOrEqual(secret.minKeyBytes);
    expect(secret.minKeyBytes).toBeGreaterThanOrEqual(8);
  });

  it('cannot be changed, at any depth', () => {
    const openParts = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(openParts));

    expect(openParts(preset)).toBe(false);
  });
});

describe('the factories of code presets', () => {
  const { adyen, awsSns, microsoftGraph, paypal, plaid, postmark, sslcommerz, twilio } = oncehook;
  const factories = { adyen, awsSns, microsoftGraph, paypal, plaid, postmark, sslcommerz, twilio };

  it.each(Object.entries(factories))('%s refuses an option it does not know, without its value', (name, factory) => {
    const wrongly = () => Reflect.apply(factory, undefined, [{ secret: 'do_not_print' }]);

    expect(wrongly).toThrow(`${name}() does not know the option "secret"`);
    expect(wrongly).not.toThrow(/do_not_print/);
  });

  it('refuse a mode that there is not', () => {
    expect(() => Reflect.apply(paypal, undefined, [{ mode: 'test' }])).toThrow(/mode to be 'live' or 'sandbox'/);
    expect(() => Reflect.apply(plaid, undefined, [{ environment: 'live' }])).toThrow(/'production' or 'sandbox'/);
  });
});

it('a certificate proves nothing before it is valid, nor afterwards', () => {
  const sender = codeSenders.find(([name]) => name === 'aws-sns')?.[1];
  if (sender === undefined) throw new Error('no sender');
  const { from, to } = CERTIFICATE_VALID;
  const at = (time: EpochMs) => verify(sender, { at: time }).verdict;

  expect([at(from), at(to)]).toEqual([
    { kind: 'verified', secretIndex: 0 },
    { kind: 'verified', secretIndex: 0 },
  ]);
  expect([at(plus(from, -1000)), at(plus(to, 1000))]).toEqual([
    { kind: 'rejected', reason: 'key_not_found' },
    { kind: 'rejected', reason: 'key_not_found' },
  ]);
});
