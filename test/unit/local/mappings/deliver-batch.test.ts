import { describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../../../local/functions/invocation.ts';
import { type BatchDeps, deliverBatch } from '../../../../local/mappings/deliver-batch.ts';
import { aRecord, numbersOf } from './a-record.ts';

type Answer = InvocationResult | ((numbers: string) => InvocationResult);

const DONE: InvocationResult = { kind: 'returned', payload: '{"batchItemFailures":[]}' };
const ERROR: InvocationResult = { kind: 'failed', reason: 'thrown' };
const failedFrom = (itemIdentifier: string): InvocationResult => ({
  kind: 'returned',
  payload: JSON.stringify({ batchItemFailures: [{ itemIdentifier }] }),
});

const LIMITS = { bisectsOnError: false, reportsItemFailures: true, maxRetries: undefined, maxAgeMs: undefined };

/** Delivers the records `1` to `n`; what happened, in order. The last answer is given from then on. */
async function deliver(
  n: number,
  answers: readonly Answer[],
  limits: Partial<Parameters<typeof deliverBatch>[1]> = {},
  more: Partial<BatchDeps> = {},
) {
  const happened: string[] = [];
  const waits: number[] = [];
  let asked = 0;
  const records = Array.from({ length: n }, (_, at) => aRecord(String(at + 1)));
  await deliverBatch(
    records,
    { ...LIMITS, ...limits },
    {
      now: () => 0,
      firstWaitMs: 100,
      mayGoOn: async () => true,
      wait: async (ms) => {
        waits.push(ms);
      },
      invoke: async (batch) => {
        happened.push(`run ${numbersOf(batch)}`);
        const answer = answers[Math.min(asked, answers.length - 1)] ?? DONE;
        asked += 1;
        return typeof answer === 'function' ? answer(numbersOf(batch)) : answer;
      },
      repeats: () => false,
      passed: (last) => happened.push(`passed ${last.dynamodb.SequenceNumber}`),
      discard: async (batch, { condition, invokeCount }) => {
        happened.push(`discarded ${numbersOf(batch)} ${condition} after ${invokeCount}`);
      },
      ...more,
    },
  );
  return { happened, waits };
}

describe('a batch of a stream', () => {
  it('is passed when the function is done with it', async () => {
    expect((await deliver(3, [DONE])).happened).toEqual(['run 123', 'passed 3']);
  });

  it('is run once more when it is to be repeated, and is as good as its second answer', async () => {
    const repeats = () => true;

    expect((await deliver(2, [DONE], {}, { repeats })).happened).toEqual(['run 12', 'run 12', 'passed 2']);
    expect((await deliver(2, [DONE, failedFrom('2'), DONE], {}, { repeats })).happened).toEqual([
      'run 12',
      'run 12',
      'passed 1',
      'run 2',
      'passed 2',
    ]);
  });

  it('comes again as it was after an error, with longer and longer waits', async () => {
    const { happened, waits } = await deliver(2, [ERROR, ERROR, ERROR, DONE]);

    expect(happened).toEqual(['run 12', 'run 12', 'run 12', 'run 12', 'passed 2']);
    expect(waits).toEqual([100, 200, 400]);
  });

  it('comes again from the record that the answer names', async () => {
    expect((await deliver(4, [failedFrom('3'), DONE])).happened).toEqual([
      'run 1234',
      'passed 2',
      'run 34',
      'passed 4',
    ]);
  });

  it('is split in two after an error, and only the record that fails is discarded', async () => {
    const poison: Answer = (numbers) => (numbers.includes('3') ? ERROR : DONE);

    const { happened } = await deliver(4, [poison], { bisectsOnError: true, maxRetries: 1 });

    expect(happened).toEqual([
      'run 1234',
      'run 12',
      'passed 2',
      'run 34',
      'run 3',
      'run 3',
      'discarded 3 RetryAttemptsExhausted after 4',
      'passed 3',
      'run 4',
      'passed 4',
    ]);
  });

  it('is discarded when its retries are used up, and not one retry earlier', async () => {
    expect((await deliver(1, [ERROR, ERROR, DONE], { maxRetries: 2 })).happened).toEqual([
      'run 1',
      'run 1',
      'run 1',
      'passed 1',
    ]);
    expect((await deliver(1, [ERROR], { maxRetries: 2 })).happened).toEqual([
      'run 1',
      'run 1',
      'run 1',
      'discarded 1 RetryAttemptsExhausted after 3',
      'passed 1',
    ]);
  });

  it('has its retries counted anew once it has got on', async () => {
    const { happened } = await deliver(2, [failedFrom('1'), failedFrom('2'), failedFrom('2'), DONE], { maxRetries: 1 });

    expect(happened).toEqual([
      'run 12',
      'run 12',
      'passed 1',
      'run 2',
      'discarded 2 RetryAttemptsExhausted after 2',
      'passed 2',
    ]);
  });

  it('is not tried when it was throttled, however often', async () => {
    const throttled: InvocationResult = { kind: 'throttled' };

    const { happened } = await deliver(1, [throttled, throttled, throttled, DONE], { maxRetries: 0 });

    expect(happened).toEqual(['run 1', 'run 1', 'run 1', 'run 1', 'passed 1']);
  });

  it.each([
    [160_000, ['run 1', 'passed 1']],
    [160_001, ['discarded 1 RecordAgeExceeded after 0', 'passed 1']],
  ])('that may be 100 s old, to the minute, is at %d ms: %j', async (nowMs, expected) => {
    expect((await deliver(1, [DONE], { maxAgeMs: 100_000 }, { now: () => nowMs })).happened).toEqual(expected);
  });

  it('is left where it was when the end comes while it runs', async () => {
    let ended = false;
    const crash: Answer = () => {
      ended = true;
      return { kind: 'crashed', reason: 'killed' };
    };

    const { happened } = await deliver(2, [crash], { maxRetries: 0 }, { mayGoOn: async () => !ended });

    expect(happened).toEqual(['run 12']);
  });
});
