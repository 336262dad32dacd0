/**
 * DynamoDB behind the gateway.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */
import type { Place } from '../../template/physical-names.ts';
import { listOf, recordOf } from '../../template/template.ts';
import type { Answer, GatewayService, ServiceCall, ServiceError } from '../gateway-service.ts';
import { jsonAnswer, statusOf } from '../json-answer.ts';

type Input = Readonly<Record<string, unknown>>;
type Need = ServiceCall['needs'][number];

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const MODELLED = 'com.amazonaws.dynamodb.v20120810#';
/** Errors of the layer before the service have another prefix. */
const CORAL = 'com.amazon.coral.service#';
const CORAL_ERRORS = new Set([
  'AccessDeniedException',
  'InternalFailure',
  'MissingAuthenticationTokenException',
  'SerializationException',
  'ServiceUnavailable',
  'UnknownOperationException',
  'UnrecognizedClientException',
]);

/** Actions on one table, that need what they are called. */
const ON_TABLE = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'DescribeContinuousBackups',
  'DescribeTable',
  'DescribeTimeToLive',
]);
/** Of these, those that a running transaction can be in the way of. */
const WRITES_ITEM = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
/** Actions on a table or on one of its indexes. */
const ON_INDEX = new Set(['Query', 'Scan']);
const BATCHES = new Set(['BatchGetItem', 'BatchWriteItem']);

/** What each part of a transaction needs: there is no action with the transaction's own name. */
const TRANSACTIONS: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  TransactWriteItems: {
    Put: 'PutItem',
    Update: 'UpdateItem',
    Delete: 'DeleteItem',
    ConditionCheck: 'ConditionCheckItem',
  },
  TransactGetItems: { Get: 'GetItem' },
};

const TOO_FAST = 'Throughput exceeds the current capacity of your table or index.';
const HELD = 'Transaction is ongoing for the item';

export function describeDynamoDbError({ code, message }: ServiceError): Answer {
  const prefix = CORAL_ERRORS.has(code) ? CORAL : MODELLED;
  const field = code === 'AccessDeniedException' ? 'Message' : 'message';
  return answer(statusOf(code), { __type: `${prefix}${code}`, [field]: message });
}

export function dynamoDbService({ region, accountId }: Place, target: string): GatewayService {
  const tableArn = (table: unknown): string =>
    String(table).startsWith('arn:') ? String(table) : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
  const need = (action: string, table: unknown): Need => ({ action: `dynamodb:${action}`, resource: tableArn(table) });

  function needsOf(action: string, input: Input): readonly Need[] | undefined {
    if (ON_TABLE.has(action)) return [need(action, input['TableName'])];
    if (ON_INDEX.has(action)) {
      const { resource, ...rest } = need(action, input['TableName']);
      const index = input['IndexName'];
      return [{ ...rest, resource: index === undefined ? resource : `${resource}/index/${index}` }];
    }
    if (BATCHES.has(action)) return Object.keys(recordOf(input['RequestItems'])).map((table) => need(action, table));
    if (action === 'ListTables') return [{ action: 'dynamodb:ListTables', resource: '*' }];
    const parts = TRANSACTIONS[action];
    if (parts === undefined) return undefined;
    return partsOf(input).flatMap(([kind, part]) => {
      const needed = parts[kind];
      return needed === undefined ? [] : [need(needed, part['TableName'])];
    });
  }

  return {
    name: 'dynamodb',
    target,
    read({ headers, body }) {
      const action = String(headers['x-amz-target']).replace(/^DynamoDB_20120810\./, '');
      const input = recordOf(JSON.parse(body.toString('utf8')));
      const needs = needsOf(action, input);
      if (needs === undefined) return undefined;
      return { service: 'dynamodb', action, needs, input, subject: subjectOf(input), items: itemsOf(action, input) };
    },

    describeError: describeDynamoDbError,
    describeThrottling: ({ items }, at) =>
      at !== undefined && items > 1
        ? cancelled(items, at, 'ThrottlingError', TOO_FAST)
        : answer(400, { __type: `${MODELLED}ThrottlingException`, message: TOO_FAST }),
    describeConflict({ action, items }, at) {
      if (items === 0) return undefined;
      return action in TRANSACTIONS
        ? cancelled(items, at, 'TransactionConflict', HELD)
        : answer(400, { __type: `${MODELLED}TransactionConflictException`, message: HELD });
    },
  };
}

const answer = (status: number, fields: Input): Answer => jsonAnswer(status, CONTENT_TYPE, fields);

/** A transaction that did not happen because of the item at one place. */
function cancelled(items: number, at: number, code: string, message: string): Answer {
  if (at < 0 || at >= items) throw new RangeError(`a transaction of ${items} items has none at ${at}`);
  const reasons = Array.from({ length: items }, (_, n) =>
    n === at ? { Code: code, Message: message } : { Code: 'None' },
  );
  return answer(400, {
    __type: `${MODELLED}TransactionCanceledException`,
    CancellationReasons: reasons,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
  });
}

/** The parts of a transaction: what is done, and how. */
const partsOf = (input: Input): readonly (readonly [string, Input])[] =>
  listOf(input['TransactItems']).flatMap((item) =>
    Object.entries(recordOf(item)).map(([kind, part]) => [kind, recordOf(part)] as const),
  );

function itemsOf(action: string, input: Input): number {
  if (WRITES_ITEM.has(action)) return 1;
  return action in TRANSACTIONS ? listOf(input['TransactItems']).length : 0;
}

/** Table and key of the first item; of a new item, whose key cannot be told, its `id`. */
function subjectOf(input: Input): string {
  const [, first] = partsOf(input)[0] ?? ['', input];
  const key = first['Key'] ?? recordOf(first['Item'])['id'];
  return [first['TableName'], key === undefined ? '' : JSON.stringify(key)].join(' ');
}
