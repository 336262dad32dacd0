import { describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../../../local/functions/invocation.ts';
import { readQueueAnswer } from '../../../../local/mappings/queue-answer.ts';

const IDS = ['a', 'b', 'c'];
const answer = (payload: unknown): InvocationResult => ({ kind: 'returned', payload: JSON.stringify(payload) });
const failing = (...itemIdentifiers: unknown[]) =>
  answer({ batchItemFailures: itemIdentifiers.map((itemIdentifier) => ({ itemIdentifier })) });

describe('the messages that a function is done with', () => {
  it.each([
    ['an empty list', answer({ batchItemFailures: [] })],
    ['no list', answer({ batchItemFailures: null })],
    ['an empty answer', answer({})],
    ['null', answer(null)],
    ['nothing', { kind: 'returned', payload: '' } as const],
  ])('are all of them after %s', (_, result) => {
    expect(readQueueAnswer(result, IDS, true)).toEqual(IDS);
  });

  it('are those that a partial answer does not name', () => {
    expect(readQueueAnswer(failing('b'), IDS, true)).toEqual(['a', 'c']);
    expect(readQueueAnswer(failing('a', 'b', 'c', 'c'), IDS, true)).toEqual([]);
  });

  it.each([
    ['an empty id', failing('b', '')],
    ['a null id', failing(null)],
    ['an unknown id', failing('b', 'z')],
    ['another key', answer({ batchItemFailures: [{ id: 'b' }] })],
    ['a list of texts', answer({ batchItemFailures: ['b'] })],
    ['a list that is none', answer({ batchItemFailures: 'b' })],
    ['a text', answer('done')],
    ['a list', answer([])],
    ['what is not JSON', { kind: 'returned', payload: '{' } as const],
    ['an error', { kind: 'failed', reason: 'x' } as const],
    ['a crash', { kind: 'crashed', reason: 'x' } as const],
    ['a time-out', { kind: 'timed-out' } as const],
    ['no free instance', { kind: 'throttled' } as const],
  ])('are none after %s', (_, result) => {
    expect(readQueueAnswer(result, IDS, true)).toEqual([]);
  });

  it('are all of them after any answer, where partial ones are not asked for', () => {
    expect(readQueueAnswer(failing('b'), IDS, false)).toEqual(IDS);
    expect(readQueueAnswer({ kind: 'failed', reason: 'x' }, IDS, false)).toEqual([]);
  });
});
