import { describe, expect, it } from 'vitest';
import { days } from '../../../lambda/core/time.ts';
import { sdkError } from '../../support/protocol.ts';
import { bodyOf, event, make } from './a-receiver.ts';

describe('a delivery', () => {
  it('is applied once and its copy is a duplicate, both with 200', async () => {
    const receiver = await make();

    const first = await receiver.sendSigned('plain', { body: event('e1') });
    const second = await receiver.sendSigned('plain', { body: event('e1') });

    expect([first.statusCode, bodyOf(first)]).toEqual([200, { outcome: 'processed', eventId: 'e1' }]);
    expect([second.statusCode, bodyOf(second)]).toEqual([200, { outcome: 'duplicate', eventId: 'e1' }]);
    expect(second.headers['x-oncehook-outcome']).toBe('duplicate');
    expect(await receiver.stage.items('outbox')).toHaveLength(1);
  });

  it('is one event however often it is signed anew and whatever its other headers say', async () => {
    const receiver = await make();
    const body = event('in_1', { type: 'invoice.paid' });

    await receiver.sendSigned('stripe', { body, headers: { 'user-agent': 'one' } });
    receiver.clock.advance(120_000);
    const copy = await receiver.sendSigned('stripe', {
      body,
      headers: { 'user-agent': 'two', 'x-amzn-trace-id': 'Root=2' },
    });

    expect(bodyOf(copy)).toEqual({ outcome: 'duplicate', eventId: 'in_1' });
  });

  it('is forty-six times one event over twenty-nine hours', async () => {
    const receiver = await make();
    const outcomes = new Map<unknown, number>();

    for (let n = 0; n < 46; n += 1) {
      const { outcome } = bodyOf(
        await receiver.sendSigned('stripe', { body: event('in_1', { type: 'invoice.paid' }) }),
      ) as { outcome: string };
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      receiver.clock.advance((29 * 3_600_000) / 46);
    }

    expect(Object.fromEntries(outcomes)).toEqual({ processed: 1, duplicate: 45 });
    expect((await receiver.stage.items('inbox'))[0]).toMatchObject({
      expiresAt: (Date.UTC(2026, 11, 1) + days(14)) / 1000,
    });
  });

  it('of a type without a handler is acknowledged and leaves nothing behind', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('plain', { body: event('e1', { type: 'user.foo.v9' }) });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([200, { outcome: 'ignored', eventId: 'e1' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('whose handler fails is answered 500 with nothing of the reason where the provider is asked to retry', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('asking', { body: event('e1', { type: 'fail' }) });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([500, { outcome: 'failed', eventId: 'e1' }]);
    expect(receiver.outcomes).toMatchObject([{ kind: 'failed', error: { message: 'boom' } }]);
  });

  it('is answered 503 with a pause while DynamoDB does not answer, and applied afterwards', async () => {
    const receiver = await make();
    receiver.stage.intercept(() => ({ before: sdkError('TimeoutError') }));
    const during = await receiver.sendSigned('plain', { body: event('e1') });
    receiver.stage.intercept(undefined);

    const after = await receiver.sendSigned('plain', { body: event('e1') });

    expect([during.statusCode, bodyOf(during), during.headers['retry-after']]).toEqual([
      503,
      { outcome: 'store-unavailable', eventId: 'e1' },
      '5',
    ]);
    expect(bodyOf(after)).toMatchObject({ outcome: 'processed' });
  });

  it('is never taken for unauthenticated because an AWS request signature was stale', async () => {
    const receiver = await make();
    receiver.stage.intercept(() => ({ before: sdkError('InvalidSignatureException') }));

    expect((await receiver.sendSigned('plain', { body: event('e1') })).statusCode).toBe(503);
  });

  it('gets an empty answer where the provider wants 204', async () => {
    const receiver = await make();

    const answer = await receiver.sendSigned('quiet', { body: event('e1') });

    expect([answer.statusCode, answer.body, answer.headers['x-oncehook-outcome']]).toEqual([204, '', 'processed']);
  });
});
