import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Source } from '../../../lambda/authoring/define-sources.ts';
import { adyen, defineSources, microsoftGraph, postmark, sslcommerz, twilio } from '../../../lambda/oncehook.ts';
import { decodeLocalState } from '../../../lambda/operator/local-state.ts';
import type { HttpAnswer, HttpRequest, Post } from '../../../lambda/operator/ports.ts';
import { requireUsable } from '../../../lambda/operator/secret/new-secret.ts';
import { generateSecret } from '../../../local/secrets/generate-secret.ts';
import { createReceiver, type Receiver } from '../../support/receiver.ts';
import { anOperator } from './an-operator.ts';
import { createStateFile } from './state-file.ts';

const nothing = async (): Promise<void> => {};
const takes = (...types: readonly string[]) => Object.fromEntries(types.map((type) => [type, nothing]));

const sources = defineSources({
  twilio: { provider: twilio(), publicUrl: 'https://hooks.example/in/twilio', on: takes('delivered', 'completed') },
  routed: { provider: twilio(), publicUrl: 'https://hooks.example/in?shop=a%20b&x=1', on: takes('delivered') },
  adyen: { provider: adyen(), on: takes('AUTHORISATION', 'REFUND') },
  graph: { provider: microsoftGraph(), on: takes('updated', 'missed') },
  sslcommerz: { provider: sslcommerz(), on: takes('VALID', 'FAILED') },
  postmark: { provider: postmark(), on: takes('Bounce', 'Inbound') },
});

const seedOf = ({ name, provider, rules }: Source): string =>
  generateSecret({ name, provider: provider.name, secret: provider.scheme.secret, types: [...rules.keys()] });
const seeds = Object.fromEntries([...sources].map(([name, source]) => [name, [seedOf(source)]]));

const FILE = createStateFile({ apiUrl: 'http://127.0.0.1:3000' });
const LOCAL = decodeLocalState(JSON.stringify({ ...FILE.content, secrets: seeds }));
afterAll(FILE.remove);

let receiver: Receiver;
let sent: HttpRequest[];
beforeEach(async () => {
  receiver = await createReceiver(sources, seeds, 10_000);
  sent = [];
});

/** The real receiver behind the URL of local AWS. */
const post: Post = async (request): Promise<HttpAnswer> => {
  sent.push(request);
  const { pathname, search } = new URL(request.url);
  const event = { rawQueryString: search.slice(1) };
  const { body, headers } = request;
  const answer = await receiver.send(pathname.replace('/webhooks/', ''), { body, headers, event });
  return { kind: 'answered', status: answer.statusCode, headers: answer.headers, text: answer.body };
};

async function send(...args: readonly string[]) {
  const operator = anOperator({ post, readLocalState: () => LOCAL, loadSources: async () => sources });
  const code = await operator.run('send', ...args);
  await receiver.workAll();
  return { code, printed: operator.printed, noted: operator.noted };
}

const applied = () => receiver.endings().filter(({ kind }) => kind === 'processed');

describe('a provider whose scheme is code, with the secret that local AWS makes', () => {
  it.each([
    ['twilio', 'delivered', 'SM3f2504e04f8941d39a0c0305e82c3301|delivered'],
    ['twilio', 'completed', 'CA3f2504e04f8941d39a0c0305e82c3301|completed'],
    ['routed', 'delivered', 'SM3f2504e04f8941d39a0c0305e82c3301|delivered'],
    ['adyen', 'AUTHORISATION', 'AUTHORISATION|3F2504E04F8941D3'],
    ['adyen', 'REFUND', 'REFUND|3F2504E04F8941D3'],
    ['graph', 'updated', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['sslcommerz', 'VALID', '3f2504e04f8941d39a0c0305e82c3301'],
    ['sslcommerz', 'FAILED', '3f2504e04f8941d39a0c0305e82c3301|FAILED'],
    ['postmark', 'Bounce', 'Bounce|3f2504e0-4f89-41d3-9a0c-0305e82c3301|692560173'],
  ])('gets an event of %s %s verified and applied once of two copies', async (source, type, eventId) => {
    const { code, printed, noted } = await send(source, type, '--times', '2');

    expect(noted).toEqual([]);
    expect(code).toBe(0);
    expect(printed[0]).toMatch(`event ${eventId} to `);
    expect(applied()).toEqual([{ eventId, kind: 'processed' }]);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  it.each([
    ['graph', 'missed'],
    ['postmark', 'Inbound'],
  ])('gets an event of %s %s, which has no id, applied once of two copies', async (source, type) => {
    expect(await send(source, type, '--times', '2')).toMatchObject({ code: 0, noted: [] });

    expect(applied()).toHaveLength(1);
  });

  it('has a secret that the operator could have set', () => {
    for (const [name, { provider }] of sources) {
      expect(() => requireUsable(provider.scheme.secret, seeds[name]?.[0] ?? '')).not.toThrow();
    }
    expect(seeds['postmark']?.[0]).toMatch(/^[a-z]+:[0-9a-f]{64}$/);
  });

  it.each(['twilio delivered', 'adyen AUTHORISATION', 'sslcommerz VALID'])(
    'has %s refused when a byte is changed after signing',
    async (event) => {
      const { code, printed } = await send(...event.split(' '), '--tamper');

      expect(code).toBe(0);
      expect(printed.at(-1)).toBe('1 answer: 1 unauthenticated');
    },
  );

  it.each(['graph updated', 'postmark Bounce'])('is not tampered with for %s, which proves no body', async (event) => {
    const { code, noted } = await send(...event.split(' '), '--tamper');

    expect(code).toBe(1);
    expect(noted[0]).toMatch(/^oncehook: --tamper shows nothing: /);
    expect(sent).toEqual([]);
  });

  it('is sent again until it succeeds, signed anew', async () => {
    receiver.secretText = new Error('away');
    const operator = anOperator({
      readLocalState: () => LOCAL,
      loadSources: async () => sources,
      async post(request) {
        const answer = await post(request);
        receiver.secretText = JSON.stringify(seeds);
        receiver.clock.advance(60_000);
        return answer;
      },
    });

    const code = await operator.run('send', 'adyen', 'REFUND', '--retry', '2');

    expect(code).toBe(0);
    expect(sent).toHaveLength(2);
  });
});

describe('a body of your own', () => {
  let folder: string;
  const fileWith = (content: string): string => {
    const file = join(folder, 'body');
    writeFileSync(file, content);
    return file;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'oncehook-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['twilio', 'delivered', 'MessageSid=SM1&MessageStatus=delivered&Tag=b&Tag=a&Tag=b&Body=%E2%98%95+%26', []],
    ['twilio', 'delivered', '{ "MessageSid": "SM1",\t"MessageStatus": "delivered" }\r\n', []],
    ['routed', 'delivered', '{"MessageSid":"SM1","MessageStatus":"delivered"}', []],
    [
      'adyen',
      'REFUND',
      '{"notificationItems":[{"NotificationRequestItem":{"pspReference":"A","eventCode":"REFUND","big":12345678901234567890}}]}',
      ['note: the signatures in the body are written anew'],
    ],
    [
      'graph',
      'updated',
      '{"value":[{"id":"a","changeType":"updated","clientState":"of another"}]}',
      ['note: the clientState in the body is written anew'],
    ],
    [
      'sslcommerz',
      'VALID',
      'tran_id=T-1&val_id=V+1&status=VALID&verify_sign=old&verify_key=old',
      ['note: the signature in the body is written anew'],
    ],
    ['postmark', 'Bounce', '{"RecordType":"Bounce","MessageID":"m","ID":7}', []],
  ])('of %s %s is signed: %s', async (source, type, body, noted) => {
    expect(await send(source, type, '--file', fileWith(body))).toMatchObject({ code: 0, noted });

    expect(applied()).toHaveLength(1);
  });

  it('keeps every byte where the proof is beside it', async () => {
    const body = 'MessageSid=SM1&MessageStatus=delivered&Body=a%20b';

    await send('twilio', 'delivered', '--file', fileWith(body));

    expect(Buffer.from(sent[0]?.body ?? []).toString()).toBe(body);
    expect(sent[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it.each([
    ['adyen', 'REFUND', '{"notificationItems":[]}', /each item of notificationItems has its own proof/],
    ['adyen', 'REFUND', 'no JSON', /each item of notificationItems has its own proof/],
    ['graph', 'updated', '{"value":[7]}', /each item of value has its own proof/],
    ['sslcommerz', 'VALID', 'tran_id=T-1', /a form with tran_id and status/],
    ['sslcommerz', 'VALID', 'tran_id=T-1&status=VALID&status=FAILED', /no field twice/],
    ['sslcommerz', 'VALID', '{"tran_id":"T-1","status":"VALID"}', /must be a form/],
  ])('of %s %s is refused where it has no place for the proof: %s', async (source, type, body, message) => {
    const { code, noted } = await send(source, type, '--file', fileWith(body));

    expect(code).toBe(1);
    expect(noted.at(-1)).toMatch(message);
    expect(sent).toEqual([]);
  });
});
