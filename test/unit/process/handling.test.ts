import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Handler, TransactWriteItem, Work } from '../../../lambda/core/handler.ts';
import { RetryLater } from '../../../lambda/core/handler-errors.ts';
import { plus } from '../../../lambda/core/time.ts';
import { createMemoryStage, TABLES } from '../../support/dynamodb-stage.ts';
import { anEvent } from '../../support/events.ts';
import { T0 } from '../../support/manual-clock.ts';
import { createProtocol, credit, sdkError } from '../../support/protocol.ts';

const make = async () => createProtocol(await createMemoryStage());

/** How an event ends whose handler does this with its work. */
async function outcomeOf(use: (work: Work) => void) {
  const protocol = await make();
  const outcome = await protocol.process(anEvent(), async (_event, work) => use(work));
  return { outcome, message: 'error' in outcome ? outcome.error.message : '', stage: protocol.stage };
}

const put = (accountId: string): TransactWriteItem => ({ Put: { TableName: TABLES.accounts, Item: { accountId } } });
const remove = (accountId: string): TransactWriteItem => ({
  Delete: { TableName: TABLES.accounts, Key: { accountId } },
});

describe('how an attempt ends', () => {
  it.each([
    [
      'an ordinary error',
      new TypeError('x is undefined'),
      { kind: 'failed', error: { name: 'TypeError', message: 'x is undefined' } },
    ],
    ['something that is not an Error', 'text', { kind: 'failed', error: { name: 'string' } }],
  ])('after %s the claim is given back and the failure counted', async (_case, thrown, expected) => {
    const { stage, process } = await make();

    const outcome = await process(anEvent(), async () => {
      throw thrown;
    });

    expect(outcome).toMatchObject({ attempt: 1, ...expected });
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'failed', attempts: 1, failures: 1 });
  });

  it('cuts an error message at 300 characters, in the row and in the outcome', async () => {
    const { stage, process } = await make();

    const outcome = await process(anEvent(), async () => {
      throw new Error('m'.repeat(301));
    });

    expect(outcome).toMatchObject({ error: { message: 'm'.repeat(300) } });
    expect((await stage.items('inbox'))[0]).toMatchObject({ lastError: { message: 'm'.repeat(300) } });
  });

  it.each([0, 86_401, 1.5])('RetryLater refuses %d seconds', (seconds) => {
    expect(() => new RetryLater(seconds, 'x')).toThrow(RangeError);
  });

  it.each([1, 86_400])('RetryLater takes %d seconds', (seconds) => {
    expect(new RetryLater(seconds, 'x').seconds).toBe(seconds);
  });

  it('tells the handler about the event', async () => {
    const { process } = await make();
    const seen: unknown[] = [];
    const event = anEvent({
      occurredAt: plus(T0, -5000),
      headers: { 'user-agent': 'x' },
      types: ['slip.credited', 'slip'],
    });

    await process(event, async (given, work) => {
      seen.push({ ...given, rawBody: undefined }, work.attempt);
      return undefined;
    });

    expect(seen).toEqual([
      {
        source: 'bazaar',
        id: 'evt_1',
        type: 'slip.credited',
        body: { type: 'slip.credited', data: { account: 'acct-1', amount: 500 } },
        rawBody: undefined,
        headers: { 'user-agent': 'x' },
        receivedAt: '2026-12-01T00:00:00.000Z',
        occurredAt: '2026-11-30T23:59:55.000Z',
      },
      1,
    ]);
  });

  it('hands the signal of the invocation on', async () => {
    const { process } = await make();
    const controller = new AbortController();
    controller.abort();

    const outcome = await process(anEvent(), async (_event, work) => work.signal.throwIfAborted(), {
      signal: controller.signal,
    });

    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'AbortError' } });
  });
});

describe('work.write', () => {
  it.each<[string, (work: Work) => void, RegExp]>([
    [
      'two writes to one key',
      (work) => [remove('a'), remove('a')].forEach(work.write),
      /second write to one item of table accounts \(key accountId\)/,
    ],
    [
      'a put and an update of one item',
      (work) => [put('a'), remove('a')].forEach(work.write),
      /second write to one item/,
    ],
    [
      'an update and a put of one item',
      (work) => [remove('a'), put('a')].forEach(work.write),
      /second write to one item/,
    ],
    [
      'two puts of one item of a declared table',
      (work) => [put('a'), put('a')].forEach(work.write),
      /second write to one item/,
    ],
    [
      'a number key given twice, once as a bigint',
      (work) => {
        work.write({ Delete: { TableName: 't', Key: { n: 1 } } });
        work.write({ Delete: { TableName: 't', Key: { n: 1n } } });
      },
      /second write to one item/,
    ],
    [
      'a write to the inbox',
      (work) => work.write({ Delete: { TableName: TABLES.inbox, Key: { id: 'x' } } }),
      /Oncehook's own/,
    ],
    [
      'a write to the outbox by its ARN',
      (work) =>
        work.write({ Delete: { TableName: 'arn:aws:dynamodb:us-east-1:123456789012:table/outbox', Key: { id: 'x' } } }),
      /Oncehook's own/,
    ],
    ['no operation', (work) => work.write({}), /exactly one of Put, Update, Delete, ConditionCheck/],
    ['two operations', (work) => work.write({ ...put('a'), ...remove('b') }), /exactly one of/],
    ['no table', (work) => work.write({ Delete: { TableName: '', Key: { id: 'x' } } }), /no TableName/],
    ['no key', (work) => work.write({ Delete: { TableName: 'accounts', Key: {} } }), /no Key/],
    [
      'undefined in an item',
      (work) => work.write({ Put: { TableName: 'accounts', Item: { accountId: 'a', list: [undefined, 1] } } }),
      /Item\.list\[0\] is undefined/,
    ],
    [
      'a Date in a value',
      (work) =>
        work.write({
          Update: {
            TableName: 'accounts',
            Key: { accountId: 'a' },
            UpdateExpression: 'SET x = :when',
            ExpressionAttributeValues: { ':when': new Date(0) },
          },
        }),
      /:when is a Date/,
    ],
    [
      'a lone surrogate',
      (work) => work.write({ Put: { TableName: 'accounts', Item: { accountId: '\ud800' } } }),
      /Item\.accountId is not well-formed/,
    ],
    [
      'an empty Set',
      (work) => work.write({ Put: { TableName: 'accounts', Item: { accountId: 'a', tags: new Set() } } }),
      /Item\.tags is a Set that is empty/,
    ],
    [
      'an integer that was rounded',
      (work) => work.write({ Put: { TableName: 'accounts', Item: { accountId: 'a', n: 2 ** 53 } } }),
      /Item\.n is an integer beyond 2\^53/,
    ],
  ])('refuses %s and sends nothing', async (_case, use, message) => {
    const result = await outcomeOf(use);

    expect(result.outcome).toMatchObject({ kind: 'parked', reason: 'permanent', error: { name: 'OncehookError' } });
    expect(result.message).toMatch(message);
    expect(result.stage.calls.map((call) => call.name)).toEqual(['PutItemCommand', 'UpdateItemCommand']);
  });

  it('tells items of two tables and of composite keys apart', async () => {
    const { outcome } = await outcomeOf((work) => {
      work.write(remove('a'));
      work.write({ Delete: { TableName: TABLES.pairs, Key: { one: 'a', two: '1' } } });
      work.write({ Delete: { TableName: TABLES.pairs, Key: { one: 'a', two: '2' } } });
    });

    expect(outcome.kind).toBe('processed');
  });

  it.each([
    [99, 'processed'],
    [100, 'parked'],
  ])('with %d writes and messages the event is %s', async (count, expected) => {
    const { outcome, message } = await outcomeOf((work) => {
      for (let n = 1; n < count; n += 1) work.write(put(`a${n}`));
      work.emit('topic', {});
    });

    expect(outcome.kind).toBe(expected);
    expect(message).toMatch(expected === 'processed' ? /^$/ : /would have 101 items; at most 100 fit/);
  });

  it('leaves one place less to an event with an order', async () => {
    const { process } = await make();
    const handle: Handler<never> = async (_event, work) => {
      for (let n = 0; n < 99; n += 1) work.write(put(`a${n}`));
    };

    const outcome = await process(anEvent(), { handle, order: { resource: () => 'r', sequence: () => 1 } });

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: expect.stringContaining('2 of them') },
    });
  });
});

describe('a write', () => {
  it('is taken as it was when it was asked for', async () => {
    const { stage, process } = await make();
    const item: Record<string, unknown> = { accountId: 'a', balance: 1 };

    await process(anEvent(), async (_event, work) => {
      work.write({ Put: { TableName: TABLES.accounts, Item: item } });
      item['balance'] = new Date(0);
    });

    expect(await stage.items('accounts')).toEqual([{ accountId: 'a', balance: 1 }]);
  });

  it('stores what a body may bring, whatever its keys are named', async () => {
    const { stage, process } = await make();
    const body = JSON.parse('{"constructor":{"name":"String"},"toString":"x","prototype":1}');

    await process(anEvent(), async (_event, work) => {
      work.write({ Put: { TableName: TABLES.accounts, Item: { accountId: 'a', body } } });
    });

    expect(await stage.items('accounts')).toEqual([{ accountId: 'a', body }]);
  });
});

describe('what comes after the handler has returned', () => {
  it.each<[string, (work: Work) => unknown]>([
    ['work.write', (work) => work.write(put('late'))],
    ['work.emit', (work) => work.emit('late', {})],
    ['work.step', (work) => work.step('late', async () => 1)],
  ])('is refused: %s', async (name, use) => {
    const { stage, process } = await make();
    let kept: Work | undefined;

    const outcome = await process(anEvent(), async (_event, work) => {
      kept = work;
      work.emit('in time', {});
    });

    await expect(async () => kept && (await use(kept))).rejects.toThrow(`${name}: the handler has returned already`);
    expect(outcome.kind).toBe('processed');
    expect(await stage.items('outbox')).toHaveLength(1);
  });
});

describe('work.emit', () => {
  it('numbers the messages of an event and keeps every digit and every empty value', async () => {
    const { stage, process } = await make();

    await process(anEvent(), async (_event, work) => {
      work.emit('first', { id: 9_123_456_789_654_321n, name: '', tags: [], meta: {}, none: null, zero: 0, no: false });
      work.emit('second', [1, 0.1], { group: 'acct-1' });
    });

    const rows = await stage.items('outbox');
    expect(rows.map(({ id, topic, payload, group }) => ({ id, topic, payload, group }))).toEqual([
      {
        id: 'bazaar#evt_1#1',
        topic: 'first',
        payload: '{"id":9123456789654321,"name":"","tags":[],"meta":{},"none":null,"zero":0,"no":false}',
        group: undefined,
      },
      { id: 'bazaar#evt_1#2', topic: 'second', payload: '[1,0.1]', group: 'acct-1' },
    ]);
  });

  it.each<[string, (work: Work) => void, RegExp]>([
    ['undefined', (work) => work.emit('t', { a: undefined } as never), /payload\.a is undefined/],
    ['a function', (work) => work.emit('t', { a: () => 1 } as never), /payload\.a is a function/],
    ['a Date', (work) => work.emit('t', { a: [new Date(0)] } as never), /payload\.a\[0\] is a Date/],
    ['a class instance', (work) => work.emit('t', new URL('https://a.example') as never), /payload is a URL/],
    ['NaN', (work) => work.emit('t', { a: Number.NaN }), /payload\.a is NaN/],
    ['a blank topic', (work) => work.emit(' ', {}), /a topic is a text/],
    ['a topic of 257 characters', (work) => work.emit('t'.repeat(257), {}), /a topic is a text of 1 to 256/],
    ['a blank group', (work) => work.emit('t', {}, { group: '' }), /a group is a text/],
  ])('refuses %s with the path', async (_case, use, message) => {
    const result = await outcomeOf(use);

    expect(result.outcome.kind).toBe('parked');
    expect(result.message).toMatch(message);
  });

  it('takes a topic of 256 characters', async () => {
    expect((await outcomeOf((work) => work.emit('t'.repeat(256), {}))).outcome.kind).toBe('processed');
  });
});

describe('the result of a handler', () => {
  it('is kept on the row', async () => {
    const { stage, process } = await make();

    await process(anEvent(), async () => ({ mailId: 'm-1', amount: 9_007_199_254_740_993n }));

    expect((await stage.items('inbox'))[0]).toMatchObject({
      result: { mailId: 'm-1', amount: 9_007_199_254_740_993n },
    });
  });

  it.each([
    ['a list', [1] as never, /returns an object/],
    ['a text', 'done' as never, /returns an object/],
    ['a Date inside', { when: new Date(0) }, /result\.when is a Date/],
    ['4,097 bytes', { a: 'x'.repeat(4096 - 4) }, /4097 bytes; at most 4096/],
  ])('is refused when it is or has %s', async (_case, result, message) => {
    const { process } = await make();

    const outcome = await process(anEvent(), async () => result);

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: expect.stringMatching(message) },
    });
  });

  it('may have 4,096 bytes', async () => {
    const { process } = await make();

    expect((await process(anEvent(), async () => ({ a: 'x'.repeat(4096 - 5) }))).kind).toBe('processed');
  });
});

describe('a schema', () => {
  const schema = v.object({ data: v.object({ account: v.string(), amount: v.pipe(v.number(), v.integer()) }) });

  it('hands the validated body on', async () => {
    const { process } = await make();

    const outcome = await process(anEvent(), { handle: credit(), schema: schema as never });

    expect(outcome.kind).toBe('processed');
  });

  it('ends a misfit for good with the path that failed and no value', async () => {
    const { process } = await make();
    const body = { data: { account: 'secret-account', amount: 'secret-amount' } };

    const outcome = await process(anEvent({ body }), { handle: credit(), schema: schema as never });

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: 'the body does not fit the schema at data.amount: 1 problem(s)' },
    });
  });
});

describe('work.objectKey', () => {
  it('is the same on every attempt and differs between events', async () => {
    const { process } = await make();
    const keys: string[] = [];
    const handle: Handler<never> = async (_event, work) => {
      keys.push(work.objectKey('receipt.pdf'));
      if (keys.length === 1) throw new Error('boom');
    };

    await process(anEvent(), handle);
    await process(anEvent(), handle);
    await process(anEvent({ eventId: 'evt_2' }), handle);

    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}\/receipt\.pdf$/);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe('what an attempt took', () => {
  it('is told for its handler and its commit, conflicts and all', async () => {
    const { clock, measures, process, stage } = await make();
    let conflicts = 2;
    stage.intercept((call) => {
      if (call.name !== 'TransactWriteItemsCommand' || conflicts === 0) return undefined;
      conflicts -= 1;
      return {
        before: sdkError('TransactionCanceledException', { CancellationReasons: [{ Code: 'TransactionConflict' }] }),
      };
    });

    await process(anEvent(), async (event, work) => {
      clock.advance(70);
      return credit()(event, work);
    });

    expect(measures).toEqual([{ fromLapsed: false, handler: 70, commit: expect.any(Number), conflicts: 2 }]);
    expect(measures[0]?.commit).toBeGreaterThan(0);
  });

  it('is told of its handler alone where it failed, and of nothing where nobody was called', async () => {
    const { measures, process } = await make();

    await process(anEvent(), async () => {
      throw new Error('boom');
    });
    await process(anEvent(), credit());
    await process(anEvent(), credit());

    expect(measures.map(({ commit }) => commit !== undefined)).toEqual([false, true]);
  });

  it('says when the event was taken from a worker that died, and not when that one gave it back', async () => {
    const { clock, measures, process } = await make();
    const begun = Promise.withResolvers<void>();
    void process(anEvent(), () => {
      begun.resolve();
      return new Promise(() => {});
    });
    await begun.promise;
    clock.advance(11_001);

    await process(anEvent(), async () => {
      throw new Error('boom');
    });
    await process(anEvent(), credit());

    expect(measures.map(({ fromLapsed }) => fromLapsed)).toEqual([true, false]);
  });
});
