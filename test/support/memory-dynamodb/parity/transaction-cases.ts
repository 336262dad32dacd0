import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, EVENTS, event, LEDGER, N, type ParityCase, putEvent, S, transact } from './parity-case.ts';

const put = (id: string, attributes: Attributes = {}, rest: object = {}): TransactWriteItem => ({
  Put: { TableName: EVENTS, Item: event(attributes, id), ...rest },
});
const add = (id: string, amount: number, rest: object = {}): TransactWriteItem => ({
  Update: {
    TableName: EVENTS,
    Key: { id: S(id) },
    UpdateExpression: 'ADD n :amount',
    ExpressionAttributeValues: { ':amount': N(amount) },
    ...rest,
  },
});
const remove = (id: string, rest: object = {}): TransactWriteItem => ({
  Delete: { TableName: EVENTS, Key: { id: S(id) }, ...rest },
});
const check = (id: string, condition: string, rest: object = {}): TransactWriteItem => ({
  ConditionCheck: { TableName: EVENTS, Key: { id: S(id) }, ConditionExpression: condition, ...rest },
});

const absent = { ConditionExpression: 'attribute_not_exists(id)' };
const withOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const many = (count: number): TransactWriteItem[] => Array.from({ length: count }, (_, index) => put(`e${index}`));
/** Items of exactly 400,000 bytes. */
const large = (count: number, lastSize = 400_000): TransactWriteItem[] =>
  Array.from({ length: count }, (_, index) => {
    const size = index === count - 1 ? lastSize : 400_000;
    return put(`b${index}`, { fill: S('x'.repeat(size - 'id'.length - `b${index}`.length - 'fill'.length)) });
  });
/** What 4 MB leave after ten items of 400,000 bytes. */
const REST = 4 * 1024 * 1024 - 10 * 400_000;

export const transactionCases: readonly ParityCase[] = [
  {
    title: 'all four actions apply',
    steps: [
      putEvent({ n: N(1) }, 'old'),
      putEvent({ n: N(1) }, 'gone'),
      transact([
        put('new', { n: N(1) }, absent),
        add('old', 5),
        remove('gone'),
        check('other', 'attribute_not_exists(id)'),
      ]),
    ],
  },
  {
    title: 'one refusal cancels all',
    steps: [
      putEvent({ n: N(1) }),
      transact([put('e2'), put('e1', {}, { ...absent, ...withOld }), add('e3', 1)]),
      transact([put('e2'), put('e1', {}, absent), add('e3', 1)]),
    ],
  },
  {
    title: 'every refusal has its reason',
    steps: [
      putEvent({ n: N(1) }),
      transact([
        put('e1', {}, { ...absent, ...withOld }),
        check('e2', 'attribute_exists(id)', withOld),
        add('e4', 1),
        remove('e5', { ConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': N(1) } }),
      ]),
    ],
  },
  {
    title: 'an update that makes an item too large',
    steps: [
      putEvent({ fill: S('x'.repeat(409_500)) }),
      transact([
        put('e2'),
        add('e1', 1, {
          UpdateExpression: 'SET more = :more',
          ExpressionAttributeValues: { ':more': S('y'.repeat(200)) },
        }),
      ]),
    ],
  },
  { title: 'a put that is too large', steps: [transact([put('e2'), put('e1', { fill: S('x'.repeat(409_600)) })])] },
  { title: 'two actions on one item', steps: [transact([put('e1'), add('e1', 1)])] },
  { title: 'a check and a write of one item', steps: [transact([check('e1', 'attribute_not_exists(id)'), put('e1')])] },
  { title: '100 items', steps: [transact(many(100))] },
  { title: '101 items', steps: [transact(many(101))] },
  { title: 'no items', steps: [transact([])] },
  { title: 'an action that is none', steps: [transact([{}])] },
  { title: 'two actions in one', steps: [transact([{ ...put('e1'), ...add('e2', 1) }])] },
  { title: '4 MB', steps: [transact(large(11, REST))] },
  { title: '4 MB and a byte', steps: [transact(large(11, REST + 1))] },
  { title: 'a table that is not there', steps: [transact([put('e1'), put('e2', {}, { TableName: 'nowhere' })])] },
  { title: 'a key of the wrong type', steps: [transact([put('e1'), put('e2', { id: N(1) })])] },
  { title: 'a key that is missing', steps: [transact([put('e1'), { Put: { TableName: EVENTS, Item: { n: N(1) } } }])] },
  { title: 'a key of 2049 bytes', steps: [transact([put('e1'), put('k'.repeat(2049))])] },
  { title: 'a key of 2049 bytes in an update', steps: [transact([put('e1'), add('k'.repeat(2049), 1)])] },
  { title: 'a key of another shape in an update', steps: [transact([put('e1'), add('e2', 1, { Key: { n: N(1) } })])] },
  { title: 'a key of another shape in a delete', steps: [transact([put('e1'), remove('e2', { Key: { id: N(1) } })])] },
  { title: 'an index key of the wrong type', steps: [transact([put('e1'), put('e2', { attention: N(1) })])] },
  { title: 'an empty index key', steps: [transact([put('e1'), put('e2', { attention: S('') })])] },
  {
    title: 'a key of the wrong type beside a failed condition',
    steps: [transact([check('e1', 'attribute_exists(id)'), put('e2', { id: N(1) })])],
  },
  {
    title: 'a key of the wrong type beside a repeated item',
    steps: [transact([put('e1'), put('e1'), put('e2', { id: N(1) })])],
  },
  { title: 'an empty key', steps: [transact([put('e1'), put('')])] },
  { title: 'an empty key of an update', steps: [transact([put('e1'), add('', 1)])] },
  {
    title: 'an expression that is malformed',
    steps: [transact([put('e1'), add('e2', 1, { UpdateExpression: 'SET n' })])],
  },
  { title: 'a value that is not used', steps: [transact([put('e1'), add('e2', 1, { UpdateExpression: 'REMOVE n' })])] },
  { title: 'a number that is too long', steps: [transact([put('e1', { n: N('1'.repeat(39)) })])] },
  {
    title: 'two tables',
    steps: [
      transact([
        put('e1'),
        { Put: { TableName: LEDGER, Item: { account: S('a'), entry: N(1) }, ...absentFrom('account') } },
      ]),
      transact([
        put('e1'),
        {
          Put: { TableName: LEDGER, Item: { account: S('a'), entry: N('1.0') }, ...absentFrom('account'), ...withOld },
        },
      ]),
    ],
  },
  {
    title: 'a token sent again',
    steps: [
      transact([add('e1', 1), put('e2', {}, absent)], 'token-1'),
      transact([add('e1', 1), put('e2', {}, absent)], 'token-1'),
      transact([add('e1', 1), put('e2', {}, absent)], 'token-2'),
    ],
  },
  {
    title: 'a token sent again with other parameters',
    steps: [
      transact([add('e1', 1)], 'other-1'),
      transact([add('e1', 2)], 'other-1'),
      transact([add('e1', 1)], 'other-1'),
    ],
  },
  {
    title: 'a token whose transaction was cancelled',
    steps: [
      putEvent({ n: N(1) }),
      transact([put('e1', {}, absent)], 'cancelled-1'),
      transact([put('e1', {}, absent)], 'cancelled-1'),
      transact([put('e2', {}, absent)], 'cancelled-1'),
    ],
  },
  { title: 'a token of 36 characters', steps: [transact([put('e1')], 't'.repeat(36))] },
  { title: 'a token of 37 characters', steps: [transact([put('e1')], 't'.repeat(37))] },
];

function absentFrom(name: string): { readonly ConditionExpression: string } {
  return { ConditionExpression: `attribute_not_exists(${name})` };
}
