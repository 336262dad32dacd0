import { GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { itemSize } from '../../support/memory-dynamodb/item-size.ts';
import { EVENTS, event, LEDGER, N, S, updateEvent } from '../../support/memory-dynamodb/parity/parity-case.ts';
import { putEvent, storeWith } from './store.ts';

const MAX_ITEM_BYTES = 409_600;
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;

const eventOfSize = (size: number, id = 'e1') =>
  event({ fill: S('x'.repeat(size - itemSize(event({ fill: S('') }, id)))) }, id);
const putSized = (size: number) => new PutItemCommand({ TableName: EVENTS, Item: eventOfSize(size) });
const transactPuts = (items: readonly ReturnType<typeof event>[]) =>
  new TransactWriteItemsCommand({ TransactItems: items.map((Item) => ({ Put: { TableName: EVENTS, Item } })) });

describe('the size of an item', () => {
  it.for([
    [{ name: S('žluť') }, 4 + 6],
    [{ n: N(0) }, 1 + 1],
    [{ n: N(12345) }, 1 + 4],
    [{ n: N(-12345) }, 1 + 5],
    [{ n: N(1700000000000) }, 1 + 3],
    [{ n: N(0.5) }, 1 + 2],
    [{ b: { BOOL: true } }, 1 + 1],
    [{ l: { L: [S('ab'), { NULL: true } as const] } }, 1 + 3 + (1 + 2) + (1 + 1)],
    [{ m: { M: { key: S('ab') } } }, 1 + 3 + (1 + 3 + 2)],
    [{ s: { SS: ['ab', 'c'] } }, 1 + 3],
  ] as const)('of %j is %i bytes', ([item, bytes]) => {
    expect(itemSize(structuredClone(item) as Parameters<typeof itemSize>[0])).toBe(bytes);
  });

  it('is at most 409,600 bytes in a put', async () => {
    const store = await storeWith();

    await expect(store.send(putSized(MAX_ITEM_BYTES))).resolves.toBeDefined();
    await expect(store.send(putSized(MAX_ITEM_BYTES + 1))).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Item size has exceeded the maximum allowed size',
    });
  });

  it('is at most 409,600 bytes after an update', async () => {
    const store = await storeWith([eventOfSize(MAX_ITEM_BYTES - 2)]);
    const add = (text: string) =>
      updateEvent({ UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': S(text) } });

    await expect(store.send(add('1'))).resolves.toBeDefined();
    await expect(store.send(add('12'))).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Item size to update has exceeded the maximum allowed size',
    });
  });
});

describe('a key', () => {
  it('is not empty', async () => {
    const store = await storeWith();

    await expect(store.send(putEvent({}, ''))).rejects.toThrow('cannot contain an empty string value. Key: id');
    await expect(store.send(updateEvent({}, ''))).rejects.toThrow('cannot contain an empty string value. Key: id');
    await expect(store.send(putEvent({ attention: S('') }))).rejects.toThrow('empty string value. Key: attention');
  });

  it('has at most 2048 bytes', async () => {
    const store = await storeWith();

    await expect(store.send(putEvent({}, 'k'.repeat(2048)))).resolves.toBeDefined();
    await expect(store.send(putEvent({}, 'k'.repeat(2049)))).rejects.toThrow('maximum size limit of2048 bytes');
    await expect(store.send(putEvent({}, 'ž'.repeat(1024)))).resolves.toBeDefined();
    await expect(store.send(putEvent({}, 'ž'.repeat(1025)))).rejects.toThrow('maximum size limit of2048 bytes');
  });

  it('has exactly the attributes and types of the table', async () => {
    const store = await storeWith();
    const get = (TableName: string, Key: ReturnType<typeof event>) =>
      store.send(new GetItemCommand({ TableName, Key }));
    const mismatch = 'The provided key element does not match the schema';

    await expect(get(LEDGER, { account: S('a'), entry: N(1) })).resolves.toBeDefined();
    await expect(get(LEDGER, { account: S('a') })).rejects.toThrow(mismatch);
    await expect(get(LEDGER, { account: S('a'), entry: S('1') })).rejects.toThrow(mismatch);
    await expect(get(EVENTS, event({ more: S('x') }))).rejects.toThrow(mismatch);
  });
});

describe('a transaction', () => {
  it('has from 1 to 100 items', async () => {
    const store = await storeWith();
    const events = (count: number) => Array.from({ length: count }, (_, index) => event({}, `e${index}`));

    await expect(store.send(transactPuts(events(100)))).resolves.toBeDefined();
    await expect(store.send(transactPuts(events(101)))).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(store.send(transactPuts([]))).rejects.toMatchObject({ name: 'ValidationException' });
    expect(store.dump(EVENTS)).toHaveLength(100);
  });

  it('has at most 4 MB of items', async () => {
    const store = await storeWith();
    const tenLarge = Array.from({ length: 10 }, (_, index) => eventOfSize(400_000, `b${index}`));
    const rest = MAX_TRANSACTION_BYTES - 10 * 400_000;

    await expect(store.send(transactPuts([...tenLarge, eventOfSize(rest)]))).resolves.toBeDefined();
    await expect(store.send(transactPuts([...tenLarge, eventOfSize(rest + 1)]))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });
});
