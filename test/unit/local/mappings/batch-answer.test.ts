import { describe, expect, it } from 'vitest';
import { readBatchAnswer } from '../../../../local/mappings/batch-answer.ts';

const BATCH = ['100', '200', '300'];
const answerTo = (payload: string, reports = true) => readBatchAnswer({ kind: 'returned', payload }, BATCH, reports);
const failures = (...itemIdentifiers: unknown[]) =>
  JSON.stringify({ batchItemFailures: itemIdentifiers.map((itemIdentifier) => ({ itemIdentifier })) });

describe('the answer to a batch of a stream', () => {
  it.each(['', 'null', '{}', '{"batchItemFailures":null}', '{"batchItemFailures":[]}'])('%j is success', (payload) => {
    expect(answerTo(payload)).toEqual({ kind: 'done' });
  });

  it.each([
    ['one number', failures('200'), 1],
    ['several, the lowest', failures('300', '200'), 1],
    ['the first', failures('100'), 0],
    ['the last', failures('300'), 2],
    ['a number that is not in the batch', failures('300', '400'), 0],
    ['an empty number', failures(''), 0],
    ['no number', failures(null), 0],
    ['another field', '{"batchItemFailures":[{"id":"200"}]}', 0],
    ['no list', '{"batchItemFailures":"200"}', 0],
    ['a text', '"done"', 0],
    ['a list', '[]', 0],
  ])('with %s brings the batch again from there', (_, payload, index) => {
    expect(answerTo(payload)).toEqual({ kind: 'failed-from', index });
  });

  it('is not looked at without partial answers', () => {
    expect(answerTo(failures('200'), false)).toEqual({ kind: 'done' });
  });

  it.each(['failed', 'crashed'] as const)('is a failure of the whole batch when the function has %s', (kind) => {
    expect(readBatchAnswer({ kind, reason: 'x' }, BATCH, true)).toEqual({ kind: 'failed' });
  });

  it('is a failure when the function ran out of time, and none when it was not run', () => {
    expect(readBatchAnswer({ kind: 'timed-out' }, BATCH, true)).toEqual({ kind: 'failed' });
    expect(readBatchAnswer({ kind: 'throttled' }, BATCH, true)).toEqual({ kind: 'throttled' });
  });
});
