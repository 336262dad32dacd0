import { type AttributeValue, DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, EVENTS, event, LEDGER, N, type ParityCase, putEvent, S, updateEvent } from './parity-case.ts';

const MAX_ITEM_BYTES = 409_600;
/** An event whose size is exact: names `id` and `fill`, two bytes of id, the rest filling. */
const eventOfSize = (size: number): Attributes => ({
  fill: S('x'.repeat(size - 'id'.length - 'e1'.length - 'fill'.length)),
});

const put = (request: Partial<ConstructorParameters<typeof PutItemCommand>[0]>): PutItemCommand =>
  new PutItemCommand({ TableName: EVENTS, Item: event(), ...request });
const remove = (request: Partial<ConstructorParameters<typeof DeleteItemCommand>[0]>): DeleteItemCommand =>
  new DeleteItemCommand({ TableName: EVENTS, Key: { id: S('e1') }, ...request });
const get = (request: Partial<ConstructorParameters<typeof GetItemCommand>[0]>): GetItemCommand =>
  new GetItemCommand({ TableName: EVENTS, Key: { id: S('e1') }, ...request });

const absent = { ConditionExpression: 'attribute_not_exists(id)' };
const withOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const nested = (depth: number): AttributeValue => (depth === 0 ? S('leaf') : { M: { m: nested(depth - 1) } });

const putValue = (title: string, value: AttributeValue): ParityCase => ({
  title: `put of ${title}`,
  steps: [putEvent({ value }), get({ ConsistentRead: true })],
});

const NUMBERS: readonly string[] = [
  '0',
  '-0',
  '007.500',
  '1e5',
  '1E-5',
  '.5',
  '5.',
  '+5',
  '-1.50e1',
  '12345678901234567890123456789012345678',
  '123456789012345678901234567890123456789',
  '1234567890123456789012345678901234567800',
  '0.00012345678901234567890123456789012345678',
  '9.9999999999999999999999999999999999999e125',
  '1e126',
  '-1e126',
  '1e-130',
  '1e-131',
  '',
  ' 1',
  'abc',
  '1_000',
  '0x10',
  'NaN',
  'Infinity',
];

const valueCases: readonly ParityCase[] = [
  ...NUMBERS.map((number) => putValue(`number "${number}"`, N(number))),
  putValue('an empty string', S('')),
  putValue('an empty binary', { B: new Uint8Array() }),
  putValue('empty documents', { M: { map: { M: {} }, list: { L: [] } } }),
  putValue('an empty set', { SS: [] }),
  putValue('a set with an empty string', { SS: [''] }),
  putValue('a set with a repeated string', { SS: ['a', 'a'] }),
  putValue('a set with a repeated number', { NS: ['1', '1'] }),
  putValue('a set with a repeated binary', { BS: [Uint8Array.of(1), Uint8Array.of(1)] }),
  putValue('NULL false', { NULL: false }),
  putValue('BOOL false', { BOOL: false }),
  putValue('31 nested maps', nested(31)),
  putValue('32 nested maps', nested(32)),
  putValue('33 nested maps', nested(33)),
];

const keyCases: readonly ParityCase[] = [
  { title: 'an empty key', steps: [put({ Item: { id: S('') } }), get({ Key: { id: S('') } })] },
  { title: 'a key of 2048 bytes', steps: [put({ Item: { id: S('k'.repeat(2048)) } })] },
  { title: 'a key of 2049 bytes', steps: [put({ Item: { id: S('k'.repeat(2049)) } })] },
  { title: 'a key of 2048 bytes in two-byte characters', steps: [put({ Item: { id: S('ž'.repeat(1024)) } })] },
  { title: 'a key of 2050 bytes in two-byte characters', steps: [put({ Item: { id: S('ž'.repeat(1025)) } })] },
  { title: 'a missing key', steps: [put({ Item: { other: S('x') } }), get({ Key: { other: S('x') } })] },
  { title: 'a key of the wrong type', steps: [put({ Item: { id: N(1) } }), get({ Key: { id: N(1) } })] },
  { title: 'a key with one attribute too many', steps: [get({ Key: { id: S('e1'), n: N(1) } })] },
  { title: 'a key with an attribute missing', steps: [get({ TableName: LEDGER, Key: { account: S('a') } })] },
  { title: 'an empty index key', steps: [put({ Item: event({ attention: S('') }) })] },
  { title: 'an index key of 2049 bytes', steps: [put({ Item: event({ attention: S('k'.repeat(2049)) }) })] },
  { title: 'an index key of the wrong type', steps: [put({ Item: event({ attention: N(1) }) })] },
  { title: 'a table that is not there', steps: [put({ TableName: 'nowhere' }), get({ TableName: 'nowhere' })] },
  {
    title: 'equal numbers are one key',
    steps: [
      put({ TableName: LEDGER, Item: { account: S('a'), entry: N('1.0'), n: N(1) } }),
      put({ TableName: LEDGER, Item: { account: S('a'), entry: N('10e-1'), n: N(2) } }),
      get({ TableName: LEDGER, Key: { account: S('a'), entry: N('1') } }),
    ],
  },
];

const sizeCases: readonly ParityCase[] = [
  { title: 'a put of the largest item', steps: [putEvent(eventOfSize(MAX_ITEM_BYTES))] },
  { title: 'a put of one byte more', steps: [putEvent(eventOfSize(MAX_ITEM_BYTES + 1))] },
  {
    title: 'an update to the largest item',
    steps: [
      putEvent(eventOfSize(MAX_ITEM_BYTES - 2)),
      updateEvent({ UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': S('1') } }),
    ],
  },
  {
    title: 'an update to one byte more',
    steps: [
      putEvent(eventOfSize(MAX_ITEM_BYTES - 2)),
      updateEvent({ UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': S('12') } }),
    ],
  },
];

const returnCases: readonly ParityCase[] = [
  { title: 'a new put', steps: [put({ ...absent, ReturnValues: 'ALL_OLD' })] },
  { title: 'a put over an item', steps: [putEvent({ n: N(1) }), put({ ReturnValues: 'ALL_OLD' })] },
  { title: 'a refused put', steps: [putEvent({ n: N(1) }), put(absent)] },
  { title: 'a refused put that returns the old item', steps: [putEvent({ n: N(1) }), put({ ...absent, ...withOld })] },
  {
    title: 'a refused write to a missing item',
    steps: [put({ ConditionExpression: 'attribute_exists(id)', ...withOld })],
  },
  {
    title: 'a refused update that returns the old item',
    steps: [
      putEvent({ n: N(1) }),
      updateEvent({ UpdateExpression: 'REMOVE n', ...absent, ...withOld, ReturnValues: 'ALL_NEW' }),
    ],
  },
  {
    title: 'a refused delete that returns the old item',
    steps: [putEvent({ n: N(1) }), remove({ ...absent, ...withOld }), remove({ ReturnValues: 'ALL_OLD' }), remove({})],
  },
  { title: 'a delete of a missing item', steps: [remove({ ReturnValues: 'ALL_OLD' })] },
  { title: 'return values a put does not have', steps: [put({ ReturnValues: 'ALL_NEW' })] },
  { title: 'return values a delete does not have', steps: [remove({ ReturnValues: 'UPDATED_OLD' })] },
  {
    title: 'an update without an expression',
    steps: [updateEvent({ ReturnValues: 'ALL_NEW' }), updateEvent({ ReturnValues: 'ALL_OLD' }), updateEvent({})],
  },
  {
    title: 'names that are used, unused, undefined',
    steps: [
      updateEvent({
        UpdateExpression: 'SET #a.#b = :v',
        ExpressionAttributeNames: { '#a': 'a', '#b': 'b' },
        ExpressionAttributeValues: { ':v': S('v') },
      }),
      updateEvent({
        UpdateExpression: 'SET #a = :v',
        ExpressionAttributeNames: { '#a': 'status', '#b': 'b' },
        ExpressionAttributeValues: { ':v': S('v') },
      }),
      updateEvent({
        UpdateExpression: 'SET #a = :v',
        ExpressionAttributeNames: { '#a': 'status' },
        ExpressionAttributeValues: { ':v': S('v'), ':w': S('w') },
      }),
      updateEvent({ UpdateExpression: 'SET #a = :v', ExpressionAttributeValues: { ':v': S('v') } }),
      updateEvent({ ExpressionAttributeNames: { '#a': 'a' } }),
      updateEvent({ ExpressionAttributeValues: { ':v': S('v') } }),
      updateEvent({ UpdateExpression: 'REMOVE a', ExpressionAttributeValues: {} }),
      updateEvent({ UpdateExpression: 'REMOVE a', ExpressionAttributeNames: {} }),
      updateEvent({ UpdateExpression: 'REMOVE #a', ExpressionAttributeNames: { a: 'a' } }),
    ],
  },
  {
    title: 'a value that is empty or invalid',
    steps: [
      updateEvent({ UpdateExpression: 'SET a = :v', ExpressionAttributeValues: { ':v': N('x') } }),
      updateEvent({ UpdateExpression: 'SET a = :v', ExpressionAttributeValues: { ':v': { SS: [] } } }),
    ],
  },
  {
    title: 'a nested name that holds a dot',
    steps: [
      putEvent({ steps: { M: {} } }),
      updateEvent({
        UpdateExpression: 'SET #steps.#name = :v',
        ExpressionAttributeNames: { '#steps': 'steps', '#name': 'mail.sent' },
        ExpressionAttributeValues: { ':v': { M: { id: S('1') } } },
        ReturnValues: 'ALL_NEW',
      }),
    ],
  },
  {
    title: 'projections of one item',
    steps: [
      putEvent({ n: N(1), doc: { M: { a: N(1), b: N(2) } }, seq: { L: [N(1), N(2), N(3)] } }),
      get({ ProjectionExpression: 'n' }),
      get({ ProjectionExpression: 'doc.b, seq[2], seq[0]' }),
      get({ ProjectionExpression: 'nowhere' }),
      get({ ProjectionExpression: 'doc, doc.a' }),
      get({ ProjectionExpression: '#m.a', ExpressionAttributeNames: { '#m': 'doc' } }),
      get({ ProjectionExpression: 'status' }),
      get({ Key: { id: S('none') }, ProjectionExpression: 'n' }),
    ],
  },
];

export const writeCases: readonly ParityCase[] = [...valueCases, ...keyCases, ...sizeCases, ...returnCases];
