import { DescribeTableCommand, GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { EVENTS, event, N, S } from '../../support/memory-dynamodb/parity/parity-case.ts';
import { addToEvent, putEvent, storeWith } from './store.ts';

describe('an intercepted request', () => {
  it('can be refused before it is applied', async () => {
    const store = await storeWith();
    const throttled = new Error('throttled');
    store.intercept(() => ({ before: throttled }));

    await expect(store.send(putEvent())).rejects.toBe(throttled);

    expect(store.dump(EVENTS)).toEqual([]);
  });

  it('can be applied and lose its answer', async () => {
    const store = await storeWith();
    const lost = new Error('socket hang up');
    store.intercept(() => ({ after: lost }));

    await expect(store.send(putEvent())).rejects.toBe(lost);

    expect(store.dump(EVENTS)).toEqual([event()]);
  });

  it('answers its own refusal even when the answer of an applied one would be lost', async () => {
    const store = await storeWith([event()]);
    store.intercept(() => ({ after: new Error('socket hang up') }));
    const conditional = new PutItemCommand({
      TableName: EVENTS,
      Item: event(),
      ConditionExpression: 'attribute_not_exists(id)',
    });

    await expect(store.send(conditional)).rejects.toThrow('The conditional request failed');
  });

  it('can wait, and then sees what was written meanwhile', async () => {
    const store = await storeWith();
    const { promise: wait, resolve: release } = Promise.withResolvers<void>();
    store.intercept(({ n }) => (n === 3 ? { wait } : undefined));

    const held = store.send(addToEvent('1'));
    await store.send(addToEvent('10'));
    const meanwhile = store.dump(EVENTS);
    release();
    await held;

    expect(meanwhile).toEqual([event({ n: N(10) })]);
    expect(store.dump(EVENTS)).toEqual([event({ n: N(11) })]);
  });

  it('is chosen by name, input and place in the order of requests', async () => {
    const store = await storeWith();
    const asked: unknown[] = [];
    store.intercept(({ name, input, n }) => {
      asked.push([name, input, n]);
      return undefined;
    });

    await store.send(putEvent());
    store.intercept(undefined);
    await store.send(putEvent());

    expect(asked).toEqual([['PutItemCommand', { TableName: EVENTS, Item: event() }, 3]]);
    expect(store.calls.map(({ name }) => name)).toEqual([
      'CreateTableCommand',
      'CreateTableCommand',
      'PutItemCommand',
      'PutItemCommand',
    ]);
  });
});

describe('a request whose signal is aborted', () => {
  it('is not applied when the signal was aborted before', async () => {
    const store = await storeWith();

    const sent = store.send(putEvent(), { abortSignal: AbortSignal.abort() });

    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(store.dump(EVENTS)).toEqual([]);
  });

  it('is not applied when the signal is aborted while it waits', async () => {
    const store = await storeWith();
    const { promise: wait, resolve: release } = Promise.withResolvers<void>();
    const controller = new AbortController();
    store.intercept(() => ({ wait }));

    const sent = store.send(putEvent(), { abortSignal: controller.signal });
    controller.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    release();
    await wait;

    expect(store.dump(EVENTS)).toEqual([]);
  });
});

describe('what the store does not model', () => {
  it.for([
    ['a command', new DescribeTableCommand({ TableName: EVENTS })],
    ['a parameter', new PutItemCommand({ TableName: EVENTS, Item: event(), Expected: {} })],
    [
      'an older form of update',
      new UpdateItemCommand({ TableName: EVENTS, Key: event(), AttributeUpdates: { n: { Value: N(1) } } }),
    ],
    [
      'consumed capacity',
      new GetItemCommand({ TableName: EVENTS, Key: { id: S('e1') }, ReturnConsumedCapacity: 'TOTAL' }),
    ],
  ] as const)('fails: %s', async ([, command]) => {
    const store = await storeWith();

    await expect(store.send(command as PutItemCommand)).rejects.toMatchObject({ name: 'NotModelled' });
  });

  it('fails: an answer by callback', async () => {
    const store = await storeWith();

    const sent = store.send(putEvent(), () => undefined) as unknown;

    await expect(sent).rejects.toMatchObject({ name: 'NotModelled' });
    expect(store.dump(EVENTS)).toEqual([]);
  });

  it('has no table that was not created', async () => {
    const store = await storeWith();

    const sent = store.send(new GetItemCommand({ TableName: 'nowhere', Key: event() }));

    await expect(sent).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(() => store.dump('nowhere')).toThrow('Requested resource not found');
  });
});
