import type {
  CreateTableCommandInput,
  DeleteItemCommandInput,
  DynamoDBClient,
  GetItemCommandInput,
  PutItemCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { assertNever } from '../../../lambda/core/assert-never.ts';
import { copyItem, type Item } from './attribute-value.ts';
import { NotModelled, requestAborted, resourceInUse } from './errors.ts';
import { createIdempotency } from './idempotency.ts';
import { type Call, type CommandName, type Interceptor, untilReleased } from './interception.ts';
import { getItem, query, scan } from './read-commands.ts';
import { findTable, readTable, type Table } from './table.ts';
import { transactWriteItems } from './transaction.ts';
import { deleteItem, putItem, updateItem } from './write-commands.ts';

const COMMANDS: readonly CommandName[] = [
  'CreateTableCommand',
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'GetItemCommand',
  'TransactWriteItemsCommand',
  'ScanCommand',
  'QueryCommand',
];

export interface MemoryDynamoDB extends Pick<DynamoDBClient, 'send'> {
  /** Asks `interceptor` about every later request; the last one given is the one asked, `undefined` asks nobody. */
  intercept(interceptor: Interceptor | undefined): void;
  /** Every request sent so far, refused ones included. */
  readonly calls: readonly Call[];
  /** Copies of all items of a table, in no particular order. @throws ResourceNotFoundException */
  dump(table: string): readonly Item[];
}

interface Options {
  /** Epoch milliseconds, for the ten minutes a client token is remembered. @default Date.now */
  readonly now?: () => number;
}

function nameOf(command: object): CommandName {
  const name = command.constructor.name;
  const known = COMMANDS.find((candidate) => candidate === name);
  if (known === undefined) throw new NotModelled(`the command ${name}`);
  return known;
}

/**
 * A DynamoDB that lives in the test's memory and stands where the SDK client does. It takes the SDK's commands with
 * raw attribute values, evaluates their expressions as the service does, answers with the SDK's outputs and error
 * classes, and applies each request in one synchronous step. A parameter or command it does not know is an error.
 *
 * Not modelled: capacity, throttling, conflicts (inject them with `intercept`), streams, deletion by TTL, and
 * eventual consistency: every read sees every earlier write.
 */
export function createMemoryDynamoDB({ now = Date.now }: Options = {}): MemoryDynamoDB {
  const tables = new Map<string, Table>();
  const once = createIdempotency(now);
  const calls: Call[] = [];
  let interceptor: Interceptor | undefined;

  function createTable(input: CreateTableCommandInput): object {
    const table = readTable(input);
    if (tables.has(table.name)) throw resourceInUse(table.name);
    tables.set(table.name, table);
    return { TableDescription: { TableName: table.name, TableStatus: 'ACTIVE', KeySchema: input.KeySchema } };
  }

  function apply(name: CommandName, input: object): object {
    switch (name) {
      case 'CreateTableCommand':
        return createTable(input as CreateTableCommandInput);
      case 'PutItemCommand':
        return putItem(tables, input as PutItemCommandInput);
      case 'UpdateItemCommand':
        return updateItem(tables, input as UpdateItemCommandInput);
      case 'DeleteItemCommand':
        return deleteItem(tables, input as DeleteItemCommandInput);
      case 'GetItemCommand':
        return getItem(tables, input as GetItemCommandInput);
      case 'TransactWriteItemsCommand': {
        const transaction = input as TransactWriteItemsCommandInput;
        once(transaction, () => transactWriteItems(tables, transaction));
        return {};
      }
      case 'ScanCommand':
        return scan(tables, input as ScanCommandInput);
      case 'QueryCommand':
        return query(tables, input as QueryCommandInput);
      default:
        return assertNever(name);
    }
  }

  async function send(
    command: { readonly input: object },
    options: { readonly abortSignal?: AbortSignal } = {},
  ): Promise<object> {
    if (typeof options === 'function') throw new NotModelled('callbacks');
    const { abortSignal } = options;
    const name = nameOf(command);
    const input = structuredClone(command.input);
    const n = calls.push({ name, input });
    const interference = interceptor?.({ name, input, n });
    await untilReleased(interference?.wait ?? Promise.resolve(), abortSignal);
    if (abortSignal?.aborted === true) throw requestAborted();
    if (interference?.before !== undefined) throw interference.before;
    const output = apply(name, input);
    if (interference?.after !== undefined) throw interference.after;
    return { $metadata: { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 }, ...output };
  }

  return {
    // The client's `send` is typed by one overload per command; the outputs above are those of the command sent.
    send: send as MemoryDynamoDB['send'],
    intercept: (next) => {
      interceptor = next;
    },
    calls,
    dump: (name) => [...findTable(tables, name).rows.values()].map(copyItem),
  };
}
