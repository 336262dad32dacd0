import {
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type Attributes, EVENTS, LEDGER, N, type ParityCase, putEvent, S } from './parity-case.ts';

const entry = (number: number, attributes: Attributes = {}, account = 'a'): PutItemCommand =>
  new PutItemCommand({ TableName: LEDGER, Item: { account: S(account), entry: N(number), ...attributes } });

const entries = [
  entry(2, { kind: S('credit'), atMs: N(30) }),
  entry(-1, { kind: S('credit'), atMs: N(10) }),
  entry(10, { kind: S('debit'), atMs: N(5), note: S('x') }),
  entry(1.5, { kind: S('credit') }),
  entry(1, { kind: S('credit'), atMs: N(10) }, 'b'),
];

const ofAccount = (request: Partial<QueryCommandInput>): QueryCommand =>
  new QueryCommand({
    TableName: LEDGER,
    KeyConditionExpression: 'account = :a',
    ...request,
    ExpressionAttributeValues: { ':a': S('a'), ...request.ExpressionAttributeValues },
  });
const where = (condition: string, values: Attributes = {}): QueryCommand =>
  ofAccount({ KeyConditionExpression: condition, ExpressionAttributeValues: values });
const ofKind = (request: Partial<QueryCommandInput> = {}): QueryCommand =>
  new QueryCommand({
    TableName: LEDGER,
    IndexName: 'byKind',
    KeyConditionExpression: 'kind = :k',
    ExpressionAttributeValues: { ':k': S('credit') },
    ...request,
  });
const needing = (request: Partial<QueryCommandInput> = {}): QueryCommand =>
  new QueryCommand({
    TableName: EVENTS,
    IndexName: 'byAttention',
    KeyConditionExpression: 'attention = :x',
    ExpressionAttributeValues: { ':x': S('failed#1') },
    ...request,
  });
const scanEvents = (request: Partial<ScanCommandInput> = {}): ScanCommand =>
  new ScanCommand({ TableName: EVENTS, ...request });

const events = [
  putEvent({ n: N(1), attention: S('failed#1') }, 'e1'),
  putEvent({ n: N(2), attention: S('failed#2') }, 'e2'),
  putEvent({ n: N(3) }, 'e3'),
];

const queryCases: readonly ParityCase[] = [
  { title: 'a partition in order', steps: [...entries, ofAccount({}), ofAccount({ ScanIndexForward: false })] },
  {
    title: 'ranges of the sort key',
    steps: [
      ...entries,
      where('account = :a AND entry > :n', { ':n': N(1) }),
      where('account = :a AND entry >= :n', { ':n': N(2) }),
      where('entry < :n AND account = :a', { ':n': N(2) }),
      where('account = :a AND :n > entry', { ':n': N(2) }),
      where('account = :a AND entry = :n', { ':n': N('1.50') }),
      where('account = :a AND entry BETWEEN :n AND :m', { ':n': N(1), ':m': N(2) }),
    ],
  },
  {
    title: 'key conditions that are none',
    steps: [
      where('entry = :n', { ':n': N(1) }),
      where('account > :a'),
      where('account = :a AND entry <> :n', { ':n': N(1) }),
      where('account = :a OR entry = :n', { ':n': N(1) }),
      where('account = :a AND note = :n', { ':n': S('x') }),
      where('account = :a AND entry = :n', { ':n': S('1') }),
      where('account = :a AND entry > :n AND entry < :m', { ':n': N(1), ':m': N(3) }),
      where('account = :a AND attribute_exists(entry)'),
      where('account = :a AND begins_with(entry, :n)', { ':n': S('1') }),
      new QueryCommand({ TableName: LEDGER }),
    ],
  },
  {
    title: 'a filter after the limit',
    steps: [
      ...entries,
      ofAccount({ FilterExpression: 'kind = :k', ExpressionAttributeValues: { ':k': S('credit') } }),
      ofAccount({ FilterExpression: 'kind = :k', ExpressionAttributeValues: { ':k': S('debit') }, Limit: 2 }),
      ofAccount({ FilterExpression: 'entry = :k', ExpressionAttributeValues: { ':k': N(1) } }),
    ],
  },
  {
    title: 'pages',
    steps: [
      ...entries,
      ofAccount({ Limit: 3 }),
      ofAccount({ Limit: 4 }),
      ofAccount({ Limit: 5 }),
      ofAccount({ ExclusiveStartKey: { account: S('a'), entry: N(1.5) } }),
      ofAccount({ ExclusiveStartKey: { account: S('a'), entry: N(1.7) }, ScanIndexForward: false, Limit: 1 }),
      ofAccount({ ExclusiveStartKey: { account: S('a') } }),
      ofAccount({ Limit: 0 }),
    ],
  },
  { title: 'a count', steps: [...entries, ofAccount({ Select: 'COUNT' })] },
  { title: 'a projection', steps: [...entries, ofAccount({ ProjectionExpression: 'entry, note' })] },
  {
    title: 'a full index',
    steps: [
      ...entries,
      ofKind({ ScanIndexForward: false, Limit: 1 }),
      ofKind({
        KeyConditionExpression: 'kind = :k AND atMs > :at',
        ExpressionAttributeValues: { ':k': S('credit'), ':at': N(10) },
      }),
      ofKind({ ExclusiveStartKey: { kind: S('credit'), atMs: N(20), account: S('a'), entry: N(0) } }),
      ofKind({ ConsistentRead: true }),
      ofKind({ IndexName: 'byNothing' }),
    ],
  },
  {
    title: 'a keys-only index',
    steps: [
      ...events,
      needing(),
      needing({ Limit: 1 }),
      needing({ FilterExpression: 'n = :n', ExpressionAttributeValues: { ':x': S('failed#1'), ':n': N(1) } }),
      needing({ FilterExpression: 'id = :n', ExpressionAttributeValues: { ':x': S('failed#1'), ':n': S('e1') } }),
      needing({ ProjectionExpression: 'id' }),
      needing({ ProjectionExpression: 'id, n' }),
      scanEvents({ IndexName: 'byAttention' }),
    ],
  },
];

const scanCases: readonly ParityCase[] = [
  {
    title: 'a scan',
    steps: [
      scanEvents(),
      ...events,
      scanEvents(),
      scanEvents({ ConsistentRead: true }),
      scanEvents({ FilterExpression: 'n > :n', ExpressionAttributeValues: { ':n': N(1) } }),
      scanEvents({ ProjectionExpression: 'n' }),
      scanEvents({ Select: 'COUNT' }),
      scanEvents({ Limit: 4 }),
      scanEvents({ TableName: 'nowhere' }),
    ],
  },
  {
    title: 'a page of at most 1 MB',
    steps: [
      ...Array.from({ length: 12 }, (_, index) => entry(index, { fill: S('x'.repeat(100_000)) })),
      ofAccount({ Select: 'COUNT' }),
    ],
  },
];

export const readCases: readonly ParityCase[] = [...queryCases, ...scanCases];
