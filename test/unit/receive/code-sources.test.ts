import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../lambda/adapters/documents/https-request.ts';
import { BUDGET } from '../../../lambda/adapters/documents/provider-documents.ts';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import type { DocumentRequest } from '../../../lambda/core/document-ports.ts';
import { epochMs, seconds } from '../../../lambda/core/time.ts';
import { adyen, type Handler, twilio } from '../../../lambda/oncehook.ts';
import {
  adyenItem,
  CODE_SENDERS,
  type CodeSender,
  codeSenders,
  PAYPAL_CERTIFICATE,
  signPaypal,
  signPlaid,
  snsMessage,
  snsMessageId,
  TOPIC,
} from '../../support/code-senders.ts';
import { T0 } from '../../support/manual-clock.ts';
import { createReceiver } from '../../support/receiver.ts';
import { readSignedPayload } from '../providers/golden.ts';

const seen: { id: string; type: string; body: unknown; headers: Readonly<Record<string, string>> }[] = [];
const note: Handler<never> = async ({ id, type, body, headers }, work) => {
  seen.push({ id, type, body, headers });
  work.emit('noted', { id });
};

async function make({ preset, publicUrl, secret, type, publish }: CodeSender, exchange?: Exchange) {
  seen.length = 0;
  const asked: DocumentRequest[] = [];
  const sources = defineSources({
    source: { provider: preset, on: { [type]: note }, ...(publicUrl === undefined ? {} : { publicUrl }) },
  });
  const publishes: Exchange = async (request) => publish?.(request) ?? { kind: 'absent' };
  const receiver = await createReceiver(sources, { source: [secret] }, 10_000, (request) => {
    asked.push(request);
    return (exchange ?? publishes)(request);
  });
  return { receiver, asked };
}

const bodyOf = (answer: { readonly body: string }): unknown => JSON.parse(answer.body);

describe.each(codeSenders)('a source of %s', (name, sender) => {
  it('applies an event once over two deliveries, and two events twice', async () => {
    const { receiver, asked } = await make(sender);
    const send = (id: string) => receiver.send('source', sender.send(id, sender.secret, receiver.clock.now()));

    const answers = [await send('e1'), await send('e1'), await send('e2')];

    await receiver.workAll();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(receiver.endings()).toEqual([
      { kind: 'processed', eventId: sender.eventId('e1', T0) },
      { kind: 'duplicate', eventId: sender.eventId('e1', T0) },
      { kind: 'processed', eventId: sender.eventId('e2', T0) },
    ]);
    expect(seen.map(({ type }) => type)).toEqual([sender.type, sender.type]);
    expect(asked).toHaveLength(sender.publish === undefined ? 0 : 1);
  });

  it('shows a handler nothing that authenticates', async () => {
    const { receiver } = await make(sender);

    await receiver.send('source', sender.send('e1', sender.secret, T0));
    await receiver.workAll();

    expect(seen).toHaveLength(1);
    const { scheme } = sender.preset;
    const secretHeaders = scheme.requires.filter((header) => !/transmission-(id|time)/.test(header));
    expect(Object.keys(seen[0]?.headers ?? {}).filter((header) => secretHeaders.includes(header))).toEqual([]);
  });

  it('answers 401 to what is not genuine, and writes nothing', async () => {
    const { receiver } = await make(sender);
    const { body, headers } = sender.send('e1', sender.otherSecret, T0);
    const forged = name === 'plaid' ? { body: body.replace('e1', 'e2'), headers } : { body, headers };

    const answered = await receiver.send('source', forged);

    expect([answered.statusCode, answered.body]).toEqual([401, '{"outcome":"unauthenticated"}']);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('refuses what lacks a header that authenticates without reading a secret', async () => {
    const [header] = sender.preset.scheme.requires;
    if (header === undefined) return;
    const { receiver } = await make(sender);
    const { body, headers } = sender.send('e1', sender.secret, T0);
    const { [header]: _left, ...others } = headers;

    expect((await receiver.send('source', { body, headers: others })).statusCode).toBe(401);
    expect(receiver.secretReads()).toBe(0);
  });

  it('reads a new secret when nothing matches, and takes what is signed with it', async () => {
    // The key of Plaid does not depend on the secret; who may ask for it does.
    if (name === 'plaid') return;
    const { receiver } = await make(sender);
    await receiver.send('source', sender.send('e1', sender.secret, T0));
    receiver.secretText = JSON.stringify({ source: [sender.otherSecret, sender.secret] });

    const answered = await receiver.send('source', sender.send('e2', sender.otherSecret, receiver.clock.now()));

    expect(answered.statusCode).toBe(200);
    expect(receiver.secretReads()).toBe(2);
  });
});

describe('a thousand forged deliveries', () => {
  const FORGED = 1000;
  const body = '{"id":"WH-1","event_type":"X"}';
  // Signed once: what a delivery asks for is not covered by its signature.
  const paypalHeaders = signPaypal(body, 'a webhook id of others', T0);
  const snsForged = snsMessage({ MessageId: snsMessageId('f') });
  /** How each of them names a document that nobody has read yet. */
  const floods: Readonly<Record<string, (n: number) => { headers: Readonly<Record<string, string>>; body: string }>> = {
    paypal: (n) => ({
      headers: { ...paypalHeaders, 'paypal-cert-url': PAYPAL_CERTIFICATE.replace('CERT-', `CERT-${n}-`) },
      body,
    }),
    plaid: (n) => ({ headers: { 'plaid-verification': signPlaid(body, T0, { alg: 'ES256', kid: `kid-${n}` }) }, body }),
    'aws-sns': (n) => ({ headers: {}, body: snsForged.replace(/Service-[^.]+/, `Service-${n}`) }),
  };

  it.each(Object.entries(floods))('of %s ask its host no more often than the budget allows', async (name, forge) => {
    const sender = codeSenders.find(([one]) => one === name)?.[1];
    if (sender === undefined) throw new Error(`no sender ${name}`);
    const { receiver, asked } = await make(sender);

    const statuses = new Set<number>();
    for (let n = 0; n < FORGED; n += 1) statuses.add((await receiver.send('source', forge(n))).statusCode);

    expect(asked).toHaveLength(BUDGET);
    expect([...statuses]).toEqual([401, 503]);
    expect(receiver.stage.calls).toEqual([]);
    expect(receiver.secretReads()).toBeLessThanOrEqual(5);
  });

  it.each(Object.entries(floods))(
    'of %s keep out nothing that is genuine once its key is known',
    async (name, forge) => {
      const sender = codeSenders.find(([one]) => one === name)?.[1];
      if (sender === undefined) throw new Error(`no sender ${name}`);
      const { receiver } = await make(sender);
      await receiver.send('source', sender.send('before', sender.secret, T0));

      for (let n = 0; n < FORGED; n += 1) await receiver.send('source', forge(n));
      const answered = await receiver.send('source', sender.send('after', sender.secret, T0));

      expect(answered.statusCode).toBe(200);
    },
  );

  it('of SNS for other topics ask nothing at all', async () => {
    const { receiver, asked } = await make(CODE_SENDERS['aws-sns']);

    for (let n = 0; n < FORGED; n += 1) {
      const forged = snsForged.replace(TOPIC, `${TOPIC}-${n}`);
      expect((await receiver.send('source', { body: forged })).statusCode).toBe(401);
    }

    expect(asked).toEqual([]);
  });
});

describe('a sender that says the same again when something changed again', () => {
  const { plaid: plaidSender, 'microsoft-graph': graphSender } = CODE_SENDERS;
  const graphBody = JSON.stringify({
    value: [{ changeType: 'updated', clientState: graphSender.secret, resource: 'users/1' }],
  });

  it.each([
    ['plaid', plaidSender, () => plaidSender.send('e1', '', T0)],
    ['microsoft-graph', graphSender, () => ({ headers: {}, body: graphBody })],
  ] as const)('%s is heard every time, over equal bytes', async (_name, sender, send) => {
    const { receiver } = await make(sender);

    await receiver.send('source', send());
    receiver.clock.advance(seconds(1));
    await receiver.send('source', send());

    await receiver.workAll();
    expect(receiver.endings().map(({ kind }) => kind)).toEqual(['processed', 'processed']);
  });
});

describe('a key that cannot be had', () => {
  it('is answered 503 with a pause, and the delivery applied when it comes again', async () => {
    const sender = CODE_SENDERS.paypal;
    let isDown = true;
    const { receiver } = await make(sender, async (request) =>
      isDown ? { kind: 'unavailable', reason: 'ETIMEDOUT' } : sender.publish(request),
    );
    const delivery = sender.send('e1', sender.secret, T0);

    const during = await receiver.send('source', delivery);
    isDown = false;
    const after = await receiver.send('source', delivery);

    expect([during.statusCode, during.headers['retry-after'], bodyOf(during)]).toEqual([
      503,
      '5',
      { outcome: 'key-unavailable' },
    ]);
    expect(receiver.rejections).toEqual([{ kind: 'key-unavailable', reason: 'ETIMEDOUT' }]);
    expect(bodyOf(after)).toEqual({ outcome: 'processed', eventId: 'e1' });
  });
});

describe('a payload on file', () => {
  it('of Adyen is two events, each applied once over two deliveries', async () => {
    const payload = readSignedPayload('adyen-batch.json');
    const sources = defineSources({ adyen: { provider: adyen(), on: { AUTHORISATION: note, CAPTURE: note } } });
    const receiver = await createReceiver(sources, { adyen: [payload.secret] }, 10_000);
    receiver.clock.set(epochMs(payload.nowSeconds * 1000));

    const answers = [await receiver.send('adyen', payload), await receiver.send('adyen', payload)];

    const eventIds = ['AUTHORISATION|TSTPSP0000000001', 'CAPTURE|TSTPSP0000000002'];
    const outcome = 'queued';
    const answered = { outcome, events: eventIds.map((eventId) => ({ outcome, eventId })) };
    expect(answers.map(bodyOf)).toEqual([answered, answered]);
    await receiver.workAll();
    expect(receiver.endings()).toEqual(
      ['processed', 'duplicate'].flatMap((kind) => eventIds.map((eventId) => ({ eventId, kind }))),
    );
  });

  it('of Twilio is one event, whatever token its resend has', async () => {
    const payload = readSignedPayload('twilio-sms-inbound.form.txt');
    const publicUrl = 'https://hooks.example/twilio/sms';
    const sources = defineSources({ sms: { provider: twilio(), publicUrl, on: { received: note } } });
    const receiver = await createReceiver(sources, { sms: [payload.secret] });
    receiver.clock.set(epochMs(payload.nowSeconds * 1000));
    seen.length = 0;

    const first = await receiver.send('sms', payload);
    const second = await receiver.send('sms', {
      ...payload,
      headers: { ...payload.headers, 'i-twilio-idempotency-token': 'another' },
    });

    const eventId = 'SMtest0000000000000000000000000001|received';
    expect([bodyOf(first), bodyOf(second)]).toEqual([
      { outcome: 'queued', eventId },
      { outcome: 'queued', eventId },
    ]);
    await receiver.workAll();
    expect(receiver.endings()).toEqual([
      { eventId, kind: 'processed' },
      { eventId, kind: 'duplicate' },
    ]);
    expect(seen).toMatchObject([{ body: { Body: 'Tea at 5? ☕ & cake', From: '+15550002222' } }]);
  });
});

it('an Adyen delivery with one forged item is refused as a whole', async () => {
  const { preset, secret, otherSecret } = CODE_SENDERS.adyen;
  const { receiver } = await make(CODE_SENDERS.adyen);
  const notificationItems = [adyenItem(secret), adyenItem(otherSecret, { pspReference: 'psp-2' })];

  const answered = await receiver.send('source', { body: JSON.stringify({ notificationItems }) });

  expect(answered.statusCode).toBe(401);
  expect(receiver.stage.calls).toEqual([]);
  expect(preset.batch).toEqual(['notificationItems']);
});
