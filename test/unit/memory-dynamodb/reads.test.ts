import { GetItemCommand, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { EVENTS, event, LEDGER, N, S } from '../../support/memory-dynamodb/parity/parity-case.ts';
import { storeWith } from './store.ts';

describe('a get', () => {
  it('returns the item, a part of it, or nothing', async () => {
    const store = await storeWith([event({ n: N('1.0'), steps: { M: { a: S('1'), b: S('2') } } })]);
    const get = (id: string, rest: object = {}) =>
      store.send(new GetItemCommand({ TableName: EVENTS, Key: { id: S(id) }, ConsistentRead: true, ...rest }));

    expect((await get('e1')).Item).toEqual(event({ n: N(1), steps: { M: { a: S('1'), b: S('2') } } }));
    expect((await get('e1', { ProjectionExpression: 'steps.b, n' })).Item).toEqual({
      n: N(1),
      steps: { M: { b: S('2') } },
    });
    expect(await get('e2')).not.toHaveProperty('Item');
  });
});

describe('a scan', () => {
  it('visits every item once, page by page, while items are deleted behind it', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `e${index}`);
    const store = await storeWith(ids.map((id) => event({}, id)));
    const seen: (string | undefined)[] = [];
    const sizes: (number | undefined)[] = [];

    let start: Record<string, ReturnType<typeof S>> | undefined;
    do {
      const page = await store.send(new ScanCommand({ TableName: EVENTS, Limit: 3, ExclusiveStartKey: start }));
      seen.push(...(page.Items ?? []).map((item) => item['id']?.S));
      sizes.push(page.Count);
      start = page.LastEvaluatedKey;
    } while (start !== undefined);

    expect(seen.toSorted()).toEqual(ids);
    expect(sizes).toEqual([3, 3, 1]);
  });

  it('filters after the limit', async () => {
    const store = await storeWith([event({ n: N(1) }, 'e1'), event({ n: N(2) }, 'e2')]);

    const { Items, Count, ScannedCount, LastEvaluatedKey } = await store.send(
      new ScanCommand({
        TableName: EVENTS,
        Limit: 2,
        FilterExpression: 'n > :n',
        ExpressionAttributeValues: { ':n': N(1) },
      }),
    );

    expect({ Items, Count, ScannedCount }).toEqual({ Items: [event({ n: N(2) }, 'e2')], Count: 1, ScannedCount: 2 });
    expect(LastEvaluatedKey).toBeDefined();
  });

  it('reads at most 1 MB a page', async () => {
    const store = await storeWith(
      Array.from({ length: 12 }, (_, index) => event({ fill: S('x'.repeat(100_000)) }, `e${index}`)),
    );

    const { Count, LastEvaluatedKey } = await store.send(new ScanCommand({ TableName: EVENTS }));

    expect(Count).toBe(11);
    expect(LastEvaluatedKey).toBeDefined();
  });
});

describe('a query', () => {
  const entry = (number: string) =>
    new PutItemCommand({
      TableName: LEDGER,
      Item: { account: S('a'), entry: N(number), kind: S('k'), atMs: N(number) },
    });

  it('returns a partition in the order of its sort key', async () => {
    const store = await storeWith();
    for (const number of ['10', '9', '-1', '1.5']) await store.send(entry(number));
    const query = (rest: object = {}) =>
      store.send(
        new QueryCommand({
          TableName: LEDGER,
          KeyConditionExpression: 'account = :a',
          ExpressionAttributeValues: { ':a': S('a') },
          ...rest,
        }),
      );
    const numbers = async (rest?: object) => (await query(rest)).Items?.map((item) => item['entry']?.N);

    expect(await numbers()).toEqual(['-1', '1.5', '9', '10']);
    expect(await numbers({ ScanIndexForward: false, Limit: 1 })).toEqual(['10']);
    expect(
      await numbers({
        KeyConditionExpression: 'account = :a AND entry BETWEEN :low AND :high',
        ExpressionAttributeValues: { ':a': S('a'), ':low': N(0), ':high': N(9) },
      }),
    ).toEqual(['1.5', '9']);
  });

  it('of a sparse keys-only index sees only the keys of items that have its attribute', async () => {
    const store = await storeWith([event({ n: N(1), attention: S('failed#1') }, 'e1'), event({ n: N(1) }, 'e2')]);
    const query = (rest: object = {}) =>
      store.send(
        new QueryCommand({
          TableName: EVENTS,
          IndexName: 'byAttention',
          KeyConditionExpression: 'attention = :x',
          ExpressionAttributeValues: { ':x': S('failed#1') },
          ...rest,
        }),
      );

    expect((await query()).Items).toEqual([event({ attention: S('failed#1') }, 'e1')]);
    await expect(query({ ConsistentRead: true })).rejects.toThrow('Consistent reads are not supported');
    await expect(query({ ProjectionExpression: 'n' })).rejects.toThrow('does not project');
  });
});
