import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { EVENTS, event, N, S } from '../../support/memory-dynamodb/parity/parity-case.ts';
import { refusalOf, storeWith } from './store.ts';

const TEN_MINUTES_MS = 10 * 60 * 1000;

const transact = (items: readonly TransactWriteItem[], token?: string) =>
  new TransactWriteItemsCommand({
    TransactItems: [...items],
    ...(token === undefined ? {} : { ClientRequestToken: token }),
  });
const put = (id: string, rest: object = {}): TransactWriteItem => ({
  Put: { TableName: EVENTS, Item: event({}, id), ...rest },
});
const add = (amount: number, id = 'e1', expression = 'ADD n :amount'): TransactWriteItem => ({
  Update: {
    TableName: EVENTS,
    Key: { id: S(id) },
    UpdateExpression: expression,
    ExpressionAttributeValues: { ':amount': N(amount) },
  },
});
const isNew = { ConditionExpression: 'attribute_not_exists(id)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
const conditionFailed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };

describe('a transaction', () => {
  it('applies puts, updates, deletes and checks together', async () => {
    const store = await storeWith([event({ n: N(1) }), event({}, 'gone')]);

    await store.send(
      transact([
        put('new', isNew),
        add(5),
        { Delete: { TableName: EVENTS, Key: { id: S('gone') } } },
        { ConditionCheck: { TableName: EVENTS, Key: { id: S('x') }, ConditionExpression: 'attribute_not_exists(id)' } },
      ]),
    );

    expect(store.dump(EVENTS)).toEqual(expect.arrayContaining([event({ n: N(6) }), event({}, 'new')]));
    expect(store.dump(EVENTS)).toHaveLength(2);
  });

  it('is cancelled as a whole, with one reason per item in order', async () => {
    const old = event({ n: S('text') });
    const store = await storeWith([old, event({}, 'e2')]);

    const refused = await refusalOf(
      store.send(
        transact([
          put('new'),
          put('e2', isNew),
          put('e3', { ConditionExpression: 'attribute_exists(id)' }),
          add(1),
          add(1, 'e4', 'SET steps.mail = :amount'),
          add(1, 'e5', 'SET n = n + :amount'),
        ]),
      ),
    );

    expect(refused.name).toBe('TransactionCanceledException');
    expect(refused.message).toContain('[None, ConditionalCheckFailed, ConditionalCheckFailed, ValidationError,');
    expect(refused.CancellationReasons).toEqual([
      { Code: 'None' },
      { ...conditionFailed, Item: event({}, 'e2') },
      conditionFailed,
      { Code: 'ValidationError', Message: 'An operand in the update expression has an incorrect data type' },
      {
        Code: 'ValidationError',
        Message: 'The document path provided in the update expression is invalid for update',
      },
      {
        Code: 'ValidationError',
        Message: 'The provided expression refers to an attribute that does not exist in the item',
      },
    ]);
    expect(store.dump(EVENTS)).toEqual([old, event({}, 'e2')]);
  });

  it('that does not fit the schema names the item in its reasons', async () => {
    const store = await storeWith();
    const wrongKey = { Put: { TableName: EVENTS, Item: { id: N(1) } } };

    const refused = await refusalOf(store.send(transact([put('e1'), wrongKey, add(1, 'e3', 'SET id = :amount')])));

    expect(refused.CancellationReasons).toMatchObject([
      { Code: 'None' },
      { Code: 'ValidationError' },
      { Code: 'ValidationError' },
    ]);
  });

  it.for([
    ['two operations on one item', [put('e1'), add(1)]],
    ['an item of two operations', [{ ...put('e1'), ...add(1, 'e2') }]],
    ['an item of none', [{}]],
    ['a malformed expression', [put('e1'), add(1, 'e2', 'SET n')]],
    ['a check without a condition', [{ ConditionCheck: { TableName: EVENTS, Key: { id: S('e1') } } as never }]],
  ] as const)('with %s is refused before anything is tried', async ([, items]) => {
    const store = await storeWith();

    await expect(store.send(transact(items))).rejects.toMatchObject({ name: 'ValidationException' });
    expect(store.dump(EVENTS)).toEqual([]);
  });

  it('on a table that is not there is refused', async () => {
    const store = await storeWith();

    const sent = store.send(transact([put('e1'), put('e2', { TableName: 'nowhere' })]));

    await expect(sent).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(store.dump(EVENTS)).toEqual([]);
  });
});

describe('a client token', () => {
  it('lets the same transaction apply once within ten minutes', async () => {
    let nowMs = 0;
    const store = await storeWith([], { now: () => nowMs });
    const commit = () => store.send(transact([add(1), put('e2', isNew)], 'token'));
    await commit();

    nowMs = TEN_MINUTES_MS - 1;
    await commit();

    expect(store.dump(EVENTS)).toContainEqual(event({ n: N(1) }));
  });

  it('is forgotten after ten minutes', async () => {
    let nowMs = 0;
    const store = await storeWith([], { now: () => nowMs });
    await store.send(transact([add(1)], 'token'));

    nowMs = TEN_MINUTES_MS;
    await store.send(transact([add(1)], 'token'));

    expect(store.dump(EVENTS)).toEqual([event({ n: N(2) })]);
  });

  it('is refused with other parameters', async () => {
    const store = await storeWith();
    await store.send(transact([add(1)], 'token'));

    const sent = store.send(transact([add(2)], 'token'));

    await expect(sent).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    expect(store.dump(EVENTS)).toEqual([event({ n: N(1) })]);
  });

  it('of a cancelled transaction may be used again', async () => {
    const store = await storeWith([event()]);
    await expect(store.send(transact([put('e1', isNew)], 'token'))).rejects.toThrow('ConditionalCheckFailed');

    await store.send(transact([put('e2', isNew)], 'token'));

    expect(store.dump(EVENTS)).toHaveLength(2);
  });

  it('has at most 36 characters', async () => {
    const store = await storeWith();

    await expect(store.send(transact([add(1)], 't'.repeat(36)))).resolves.toBeDefined();
    await expect(store.send(transact([add(1)], 't'.repeat(37)))).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
