import { type AttributeValue, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { EVENTS, event, N, S } from '../../support/memory-dynamodb/parity/parity-case.ts';
import { putEvent, refusalOf, storeWith } from './store.ts';

const claimed = event({
  status: S('claimed'),
  claimToken: S('t1'),
  n: N('12345678901234567890123456789012345678'),
  steps: { M: { mail: { M: { id: S('m1') } } } },
});

const values: Record<string, AttributeValue> = {
  ':claimed': S('claimed'),
  ':mine': S('t1'),
  ':other': S('t2'),
  ':big': N('12345678901234567890123456789012345679'),
};

const updateIf = (condition: string, rest: object = {}): UpdateItemCommand =>
  new UpdateItemCommand({
    TableName: EVENTS,
    Key: { id: S('e1') },
    UpdateExpression: 'SET done = :done',
    ConditionExpression: condition,
    ...(condition.includes('#status') ? { ExpressionAttributeNames: { '#status': 'status' } } : {}),
    ExpressionAttributeValues: {
      ':done': { BOOL: true },
      ...Object.fromEntries(Object.entries(values).filter(([name]) => condition.includes(name))),
    },
    ...rest,
  });

describe('a condition', () => {
  it.for([
    'claimToken = :mine AND #status = :claimed',
    'attribute_not_exists(lastSequence) OR lastSequence < :big',
    'n < :big',
    'steps.mail.id <> :other',
    'attribute_exists(steps.mail) AND NOT attribute_exists(steps.sms)',
    'size(steps) < :big',
    'nowhere <> :mine',
  ])('that holds lets the write through: %s', async (condition) => {
    const store = await storeWith([claimed]);

    await store.send(updateIf(condition));

    expect(store.dump(EVENTS)).toEqual([{ ...claimed, done: { BOOL: true } }]);
  });

  it.for([
    'claimToken = :other AND #status = :claimed',
    'attribute_not_exists(id)',
    'n >= :big',
    'n = :mine',
    'nowhere = :mine',
    'nowhere < :big',
    'NOT claimToken = :mine',
  ])('that fails changes nothing: %s', async (condition) => {
    const store = await storeWith([claimed]);

    const refused = await refusalOf(store.send(updateIf(condition)));

    expect(refused.name).toBe('ConditionalCheckFailedException');
    expect(refused.Item).toBeUndefined();
    expect(store.dump(EVENTS)).toEqual([claimed]);
  });

  it('returns the old item in raw form when asked to', async () => {
    const store = await storeWith([claimed]);

    const refused = await refusalOf(
      store.send(updateIf('claimToken = :other', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
    );

    expect(refused.Item).toEqual(claimed);
  });

  it('on an item that is not there returns no item', async () => {
    const store = await storeWith();
    const command = new PutItemCommand({
      TableName: EVENTS,
      Item: event(),
      ConditionExpression: 'attribute_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });

    const refused = await refusalOf(store.send(command));

    expect(refused.name).toBe('ConditionalCheckFailedException');
    expect(refused.Item).toBeUndefined();
  });

  it.for([
    ['status = :claimed', 'reserved keyword'],
    ['claimToken = :undefined', 'not defined'],
    ['#undefined = :mine', 'not defined'],
    ['claimToken = :mine AND', 'Syntax error'],
    ['((claimToken = :mine))', 'redundant parentheses'],
    ['claimToken = claimToken', 'must be distinct'],
    ['done < :done', 'Incorrect operand type'],
  ] as const)('%s is refused: %s', async ([condition, reason]) => {
    const store = await storeWith([claimed]);

    const refused = await refusalOf(store.send(updateIf(condition)));

    expect(refused.name).toBe('ValidationException');
    expect(refused.message).toContain(reason);
  });

  it('with a name or value it does not use is refused', async () => {
    const store = await storeWith([claimed]);
    const unusedName = updateIf('attribute_exists(id)', { ExpressionAttributeNames: { '#n': 'n' } });
    const unusedValue = updateIf('attribute_exists(id)', {
      ExpressionAttributeValues: { ':done': S('x'), ':unused': S('x') },
    });

    await expect(store.send(unusedName)).rejects.toThrow('unused in expressions: keys: {#n}');
    await expect(store.send(unusedValue)).rejects.toThrow('unused in expressions: keys: {:unused}');
  });

  it('of 4096 bytes is the longest', async () => {
    const store = await storeWith([claimed]);
    const condition = (bytes: number): string => `attribute_exists(${'n'.repeat(bytes - 'attribute_exists()'.length)})`;

    await expect(store.send(updateIf(condition(4096)))).rejects.toThrow('The conditional request failed');
    await expect(store.send(updateIf(condition(4097)))).rejects.toThrow('maximum allowed size');
  });

  it('on a put lets exactly one of many win', async () => {
    const store = await storeWith();
    const put = () =>
      store.send(
        new PutItemCommand({ TableName: EVENTS, Item: event(), ConditionExpression: 'attribute_not_exists(id)' }),
      );

    const results = await Promise.allSettled(Array.from({ length: 20 }, put));

    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a put without a condition', () => {
  it('replaces the whole item', async () => {
    const store = await storeWith([claimed]);

    await store.send(putEvent({ n: N(1) }));

    expect(store.dump(EVENTS)).toEqual([event({ n: N(1) })]);
  });
});
