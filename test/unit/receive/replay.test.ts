import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { stripe } from '../../../lambda/oncehook.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { createReceiver, type Receiver } from '../../support/receiver.ts';

const SECRET = 'whsec_test-secret-1';
const HOUR_MS = 3_600_000;
const nothing = async (): Promise<void> => {};
const sources = defineSources({
  strict: { provider: stripe(), on: { 'invoice.paid': nothing } },
  // Of a sender that signs once and sends the same headers for a day.
  patient: { provider: stripe(), on: { 'invoice.paid': nothing }, toleranceSeconds: 86_400 },
});

const body = '{"id":"evt_1","type":"invoice.paid","livemode":false}';

/** Headers that were signed so long before now. */
const signedBefore = ({ clock }: Receiver, seconds: number) =>
  signDelivery(stripe().scheme, SECRET, {
    id: 'evt_1',
    timestamp: (Math.floor(clock.now() / 1000) - seconds) as never,
    body: Buffer.from(body),
  });

const make = () => createReceiver(sources, { strict: [SECRET], patient: [SECRET] });

describe('headers that were signed a while ago', () => {
  it.each([
    ['strict', 300, 200],
    ['strict', 301, 401],
    ['strict', -300, 200],
    ['strict', -301, 401],
    ['patient', 86_400, 200],
    ['patient', 86_401, 401],
  ])('at the source %s by %d s are answered %d', async (source, seconds, status) => {
    const receiver = await make();

    const answer = await receiver.send(source, { body, headers: signedBefore(receiver, seconds) });

    expect(answer.statusCode).toBe(status);
    if (status === 401) expect(receiver.stage.calls).toEqual([]);
  });

  it('give another reason in the log than a wrong signature does, and the same answer', async () => {
    const receiver = await make();
    const wrong = { 'stripe-signature': `t=${Math.floor(receiver.clock.now() / 1000)},v1=${'0'.repeat(64)}` };

    const old = await receiver.send('strict', { body, headers: signedBefore(receiver, 301) });
    const forged = await receiver.send('strict', { body, headers: wrong });

    expect(old).toEqual(forged);
    expect(receiver.rejections).toEqual([
      { kind: 'unauthenticated', reason: 'timestamp_too_old' },
      { kind: 'unauthenticated', reason: 'signature_mismatch' },
    ]);
  });

  it('may come again within a wide tolerance, and then are a duplicate', async () => {
    const receiver = await make();
    const headers = signedBefore(receiver, 0);
    const first = await receiver.send('patient', { body, headers });

    receiver.clock.advance(2 * HOUR_MS);
    const copy = await receiver.send('patient', { body, headers });
    receiver.clock.advance(94 * HOUR_MS);
    const late = await receiver.send('patient', { body, headers });

    expect(
      [first, copy, late].map(({ statusCode, headers: said }) => [statusCode, said['x-oncehook-outcome']]),
    ).toEqual([
      [200, 'processed'],
      [200, 'duplicate'],
      [401, 'unauthenticated'],
    ]);
  });
});
