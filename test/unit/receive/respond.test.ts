import { describe, expect, it } from 'vitest';
import type { EventOutcome, Rejection } from '../../../lambda/core/outcome.ts';
import { respond } from '../../../lambda/receive/respond.ts';

const error = { name: 'Error', message: 'a secret detail' };
const answer = (outcome: EventOutcome) =>
  respond({ kind: 'handled', isBatch: false, successStatus: 200, events: [{ eventId: 'e1', outcome }] });

describe('an outcome as HTTP', () => {
  it.each<[EventOutcome, number, string, string | undefined]>([
    [{ kind: 'processed', attempt: 1 }, 200, 'processed', undefined],
    [{ kind: 'duplicate', bodyMismatch: true }, 200, 'duplicate', undefined],
    [{ kind: 'superseded', attempt: 1 }, 200, 'superseded', undefined],
    [{ kind: 'ignored' }, 200, 'ignored', undefined],
    [{ kind: 'failed', attempt: 1, error }, 500, 'failed', undefined],
    [{ kind: 'queued', because: 'failed', attempt: 1, error }, 200, 'queued', undefined],
    [{ kind: 'parked', reason: 'permanent', attempt: 1, error }, 200, 'parked', undefined],
    [{ kind: 'expired' }, 200, 'expired', undefined],
    [{ kind: 'retry-later', attempt: 1, retryAfterSeconds: 60, error }, 503, 'retry-later', '60'],
    [{ kind: 'in-progress', retryAfterSeconds: 9 }, 503, 'in-progress', '9'],
    [{ kind: 'malformed', reason: 'x' }, 400, 'malformed', undefined],
    [{ kind: 'claim-lost' }, 503, 'claim-lost', '5'],
    [{ kind: 'too-little-time' }, 503, 'too-little-time', '5'],
    [{ kind: 'store-down', reason: 'STORE_THROTTLED' }, 503, 'store-unavailable', '5'],
  ])('%j', (outcome, status, word, retryAfter) => {
    const { statusCode, headers, body } = answer(outcome);

    expect([statusCode, headers['x-oncehook-outcome'], headers['retry-after']]).toEqual([status, word, retryAfter]);
    expect(JSON.parse(body)).toEqual({ outcome: word, eventId: 'e1' });
  });

  it.each<[Rejection, number]>([
    [{ kind: 'malformed', reason: 'x' }, 400],
    [{ kind: 'unauthenticated', reason: 'timestamp_too_old' }, 401],
    [{ kind: 'unknown-source' }, 404],
    [{ kind: 'wrong-method' }, 405],
    [{ kind: 'too-large' }, 413],
    [{ kind: 'unknown-encoding' }, 415],
    [{ kind: 'no-secret', reason: 'x' }, 503],
  ])('%j says the word and nothing of the reason', (rejection, status) => {
    const { statusCode, body } = respond({ kind: 'rejected', rejection });

    expect([statusCode, JSON.parse(body)]).toEqual([status, { outcome: rejection.kind }]);
  });

  it('takes the worst of a batch and the longest of its pauses', () => {
    const batch = (...outcomes: EventOutcome[]) => {
      const events = outcomes.map((outcome, n) => ({ eventId: `e${n}`, outcome }));
      const { statusCode, headers } = respond({ kind: 'handled', isBatch: true, successStatus: 200, events });
      return [statusCode, headers['retry-after']];
    };

    expect(batch({ kind: 'processed', attempt: 1 }, { kind: 'in-progress', retryAfterSeconds: 3 })).toEqual([503, '3']);
    expect(batch({ kind: 'in-progress', retryAfterSeconds: 9 }, { kind: 'claim-lost' })).toEqual([503, '9']);
    expect(batch({ kind: 'failed', attempt: 1, error }, { kind: 'claim-lost' })).toEqual([500, undefined]);
    expect(batch({ kind: 'malformed', reason: 'x' }, { kind: 'processed', attempt: 1 })).toEqual([400, undefined]);
    expect(batch({ kind: 'malformed', reason: 'x' }, { kind: 'claim-lost' })).toEqual([503, '5']);
    expect(batch({ kind: 'malformed', reason: 'x' }, { kind: 'failed', attempt: 1, error })).toEqual([500, undefined]);
  });
});
