import { describe, expect, it } from 'vitest';
import { OncehookError } from '../../../lambda/core/errors.ts';
import { sdkError } from '../../support/protocol.ts';
import type { Receiver } from '../../support/receiver.ts';
import { bodyOf, event, make, outage } from './a-receiver.ts';

describe('secrets', () => {
  it.each([
    ['is missing for the source', '{}'],
    ['has an empty list', '{"plain":[]}'],
    ['has a blank text', '{"plain":[" "]}'],
    ['is not JSON', 'generated-password'],
    ['cannot be read', outage],
  ])('answer 503 and verify nothing when the secret %s', async (_case, text) => {
    const receiver = await make();
    receiver.secretText = text;

    const answer = await receiver.sendSigned('plain', { body: event('e1') });

    expect([answer.statusCode, bodyOf(answer)]).toEqual([503, { outcome: 'no-secret' }]);
    expect(receiver.stage.calls).toEqual([]);
  });

  it('that cannot be decoded are the operator’s mistake and not the sender’s', async () => {
    const receiver = await make();
    receiver.secretText = JSON.stringify({ bazaar: ['whsec_not base64'] });

    const answer = await receiver.sendSigned('bazaar', { body: event('e1') });

    expect(answer.statusCode).toBe(503);
  });

  it('are read once for many deliveries', async () => {
    const receiver = await make();
    for (let n = 0; n < 20; n += 1) await receiver.sendSigned('plain', { body: event(`e${n}`) });

    expect(receiver.secretReads()).toBe(1);
  });

  it('are read again when nothing matches, and the new one is taken at once', async () => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = JSON.stringify({ plain: ['rotated', 'test-secret-1'] });

    const answer = await receiver.sendSigned('plain', { body: event('e2'), secret: 'rotated' });

    expect([answer.statusCode, receiver.secretReads()]).toEqual([200, 2]);
  });

  const flood = async (receiver: Receiver, count: number, everyMs: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await receiver.send('plain', { body: event('e1'), headers: { 'x-signature': `sha256=${'0'.repeat(64)}` } });
      receiver.clock.advance(everyMs);
    }
  };

  it('are read five times and then once a second, however many bad signatures come', async () => {
    const receiver = await make();

    await flood(receiver, 100, 100);

    expect(receiver.secretReads()).toBe(5 + 9);
  });

  it('that were added a second ago are known in the middle of a flood', async () => {
    const receiver = await make();
    await flood(receiver, 1000, 10);
    receiver.secretText = JSON.stringify({ plain: ['rotated', 'test-secret-1'] });
    await flood(receiver, 100, 10);

    const answers = [];
    for (let n = 0; n < 100; n += 1) {
      await flood(receiver, 3, 3);
      answers.push((await receiver.sendSigned('plain', { body: event(`r${n}`), secret: 'rotated' })).statusCode);
    }

    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('that were taken out verify nothing after five minutes', async () => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = JSON.stringify({ plain: ['rotated'] });

    receiver.clock.advance(299_999);
    expect((await receiver.sendSigned('plain', { body: event('e2') })).statusCode).toBe(200);
    receiver.clock.advance(1);
    expect((await receiver.sendSigned('plain', { body: event('e3') })).statusCode).toBe(401);
  });

  it('still count while Secrets Manager does not answer, for an hour', async () => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = outage;

    receiver.clock.advance(3_599_999);
    expect((await receiver.sendSigned('plain', { body: event('e2') })).statusCode).toBe(200);
    receiver.clock.advance(1);
    expect((await receiver.sendSigned('plain', { body: event('e3') })).statusCode).toBe(503);
  });

  const known = async (failure: Error) => {
    const receiver = await make();
    await receiver.sendSigned('plain', { body: event('e1') });
    receiver.secretText = failure;
    receiver.clock.advance(300_000);
    return receiver.sendSigned('plain', { body: event('e2') });
  };

  it.each<[string, Error]>([
    ['its own fault', outage],
    [
      'a 503 that the client has no model of',
      sdkError('Unknown', { $fault: 'client', $metadata: { httpStatusCode: 503 } }),
    ],
    ['a time-out', sdkError('TimeoutError')],
    ['a refused connection', sdkError('Error', { code: 'ECONNREFUSED' })],
    ['a name that does not resolve', sdkError('Error', { code: 'ENOTFOUND' })],
    ['throttling', sdkError('ThrottlingException', { $fault: 'client', $metadata: { httpStatusCode: 400 } })],
    ['a 429', sdkError('Busy', { $fault: 'client', $metadata: { httpStatusCode: 429 } })],
  ])('still count when a read fails for %s', async (_case, failure) => {
    expect((await known(failure)).statusCode).toBe(200);
  });

  it.each<[string, Error]>([
    ['ResourceNotFoundException', sdkError('ResourceNotFoundException', { $fault: 'client' })],
    ['InvalidRequestException', sdkError('InvalidRequestException', { $fault: 'client' })],
    [
      'AccessDeniedException',
      sdkError('AccessDeniedException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
    ],
    ['DecryptionFailure', sdkError('DecryptionFailure', { $fault: 'client' })],
    ['a certificate of somebody else', sdkError('Error', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })],
    ['no credentials', new OncehookError('STORE_MISCONFIGURED', 'none', { retryable: false })],
    ['what nobody knows', new TypeError('x')],
  ])('count no more when a read is refused with %s', async (_case, failure) => {
    const answer = await known(failure);

    expect([answer.statusCode, bodyOf(answer)]).toEqual([503, { outcome: 'no-secret' }]);
  });
});
