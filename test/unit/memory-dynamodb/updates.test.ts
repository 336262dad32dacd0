import { type AttributeValue, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { EVENTS, event, N, S } from '../../support/memory-dynamodb/parity/parity-case.ts';
import { refusalOf, storeWith } from './store.ts';

const before = event({
  n: N('10'),
  s: S('text'),
  people: { SS: ['ada', 'bob'] },
  seq: { L: [N(0), N(1), N(2)] },
  steps: { M: { mail: S('m1') } },
});

const values: Record<string, AttributeValue> = {
  ':n': N('2.5'),
  ':s': S('new'),
  ':ada': { SS: ['ada'] },
  ':cem': { SS: ['cem', 'ada'] },
  ':all': { SS: ['bob', 'ada'] },
  ':seq': { L: [S('x')] },
};

const update = (expression: string, rest: Partial<UpdateItemCommandInput> = {}): UpdateItemCommand => {
  const used = Object.entries(values).filter(([name]) => new RegExp(`${name}\\b`).test(expression));
  return new UpdateItemCommand({
    TableName: EVENTS,
    Key: { id: S('e1') },
    UpdateExpression: expression,
    ...(used.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(used) }),
    ...rest,
  });
};

describe('an update', () => {
  it.for([
    ['SET n = n + :n', { n: N('12.5') }],
    ['SET n = n - :n', { n: N('7.5') }],
    ['SET n = if_not_exists(n, :n), m = if_not_exists(m, :n)', { m: N('2.5') }],
    ['SET n = s, s = n', { n: S('text'), s: N('10') }],
    ['SET seq = list_append(seq, :seq)', { seq: { L: [N(0), N(1), N(2), S('x')] } }],
    ['SET seq[1] = :s', { seq: { L: [N(0), S('new'), N(2)] } }],
    ['SET seq[9] = :s', { seq: { L: [N(0), N(1), N(2), S('new')] } }],
    ['REMOVE seq[0], seq[1]', { seq: { L: [N(2)] } }],
    ['SET seq[2] = :s REMOVE seq[0]', { seq: { L: [N(1), S('new')] } }],
    ['SET steps.sms = :s', { steps: { M: { mail: S('m1'), sms: S('new') } } }],
    ['REMOVE steps.mail', { steps: { M: {} } }],
    ['ADD n :n', { n: N('12.5') }],
    ['ADD fresh :n', { fresh: N('2.5') }],
    ['ADD people :cem', { people: { SS: ['ada', 'bob', 'cem'] } }],
    ['DELETE people :ada', { people: { SS: ['bob'] } }],
  ] as const)('%s', async ([expression, changed]) => {
    const store = await storeWith([before]);

    const { Attributes } = await store.send(update(expression, { ReturnValues: 'ALL_NEW' }));

    expect(Attributes).toEqual({ ...before, ...changed });
    expect(store.dump(EVENTS)).toEqual([{ ...before, ...changed }]);
  });

  it('removes attributes, and sets that become empty', async () => {
    const store = await storeWith([before]);

    await store.send(update('REMOVE s, seq, steps, nothing DELETE people :all'));

    expect(store.dump(EVENTS)).toEqual([event({ n: N('10') })]);
  });

  it('of an item that is not there creates it with its key', async () => {
    const store = await storeWith();

    await store.send(update('SET n = :n'));

    expect(store.dump(EVENTS)).toEqual([event({ n: N('2.5') })]);
  });

  it.for([
    ['NONE', undefined],
    ['ALL_OLD', before],
    ['ALL_NEW', { ...before, n: N('12.5'), steps: { M: { mail: S('new') } } }],
    ['UPDATED_OLD', { n: N('10'), steps: { M: { mail: S('m1') } } }],
    ['UPDATED_NEW', { n: N('12.5'), steps: { M: { mail: S('new') } } }],
  ] as const)('returns %s', async ([ReturnValues, attributes]) => {
    const store = await storeWith([before]);

    const { Attributes } = await store.send(update('SET steps.mail = :s ADD n :n', { ReturnValues }));

    expect(Attributes).toEqual(attributes);
  });

  it('takes names with dots and reserved words through placeholders', async () => {
    const store = await storeWith([before]);

    await store.send(
      update('SET #steps.#name = :s', { ExpressionAttributeNames: { '#steps': 'steps', '#name': 'status.sent' } }),
    );

    expect(store.dump(EVENTS)[0]?.['steps']).toEqual({ M: { mail: S('m1'), 'status.sent': S('new') } });
  });

  it.for([
    ['SET nowhere.mail = :s', 'The document path provided in the update expression is invalid for update'],
    ['SET s.mail = :s', 'The document path provided in the update expression is invalid for update'],
    ['REMOVE nowhere.mail', 'The document path provided in the update expression is invalid for update'],
    ['SET n = nowhere', 'refers to an attribute that does not exist in the item'],
    ['SET n = n + s', 'incorrect data type'],
    ['ADD s :n', 'incorrect data type'],
    ['ADD people :n', 'incorrect data type'],
    ['DELETE n :ada', 'incorrect data type'],
    ['SET steps = :s, steps.mail = :n', 'paths overlap'],
    ['SET n = :n, n = :s', 'paths overlap'],
    ['SET seq[0] = :n, seq.x = :s', 'paths conflict'],
    ['SET n = :n SET s = :s', 'can only be used once'],
    ['SET status = :s', 'reserved keyword'],
    ['SET id = :s', 'This attribute is part of the key'],
    ['SET attention = :n', 'secondary index key to unsupported type'],
  ] as const)('%s is refused: %s', async ([expression, reason]) => {
    const store = await storeWith([before]);

    const refused = await refusalOf(store.send(update(expression)));

    expect(refused.name).toBe('ValidationException');
    expect(refused.message).toContain(reason);
    expect(store.dump(EVENTS)).toEqual([before]);
  });

  it('does not reach items through what it returned or was given', async () => {
    const store = await storeWith([before]);
    const given = { M: { mail: S('kept') } };

    const { Attributes } = await store.send(
      new UpdateItemCommand({
        TableName: EVENTS,
        Key: { id: S('e1') },
        UpdateExpression: 'SET steps = :steps',
        ExpressionAttributeValues: { ':steps': given },
        ReturnValues: 'ALL_NEW',
      }),
    );
    given.M.mail = S('changed by the giver');
    Object.assign(Attributes?.['steps']?.M ?? {}, { mail: S('changed by the reader') });

    expect(store.dump(EVENTS)[0]?.['steps']).toEqual({ M: { mail: S('kept') } });
  });
});
