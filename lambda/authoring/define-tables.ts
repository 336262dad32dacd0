import { userTableVariable } from '../contract.ts';
import { OncehookError } from '../core/errors.ts';

/** A key attribute: its name, or its name and type. A name alone is a string. */
export type KeyAttribute = string | { readonly name: string; readonly type: 'S' | 'N' | 'B' };

/** IAM actions on a table, without the `dynamodb:` prefix, that a handler may be granted. */
export type TableAction =
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query';

/** A table that the stack creates. */
export interface CreatedTable {
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  /**
   * What handlers may do with it. Name only what they use.
   *
   * @default the four writes of a transaction, `GetItem` and `Query`
   */
  readonly actions?: readonly TableAction[];
}

/** A table that exists already, in the same account and Region. */
export interface ImportedTable {
  readonly import: string;
  /** See {@link CreatedTable.actions}. */
  readonly actions?: readonly TableAction[];
}

export type TableDefinition = CreatedTable | ImportedTable;

/** The names of the tables by their keys; each is looked up when it is used. */
export type Tables<Keys extends string = string> = { readonly [K in Keys]: string };

export const DEFAULT_TABLE_ACTIONS: readonly TableAction[] = [
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'ConditionCheckItem',
  'GetItem',
  'Query',
];

const definitions = new WeakMap<object, Readonly<Record<string, TableDefinition>>>();

/**
 * Declares the tables your handlers write to. The stack creates or imports each, grants the
 * functions access and tells them the name.
 *
 * The result has one property a table. Its value is the table's real name in the deployed
 * function; outside of Lambda, where there is none (in tests of a handler, say), it is the key.
 *
 * @example
 * export const tables = defineTables({ accounts: { partitionKey: 'accountId' } });
 * // in a handler: TableName: tables.accounts
 * @throws OncehookError `CONFIG_INVALID` naming every definition that is wrong.
 */
export function defineTables<const T extends Readonly<Record<string, TableDefinition>>>(
  tables: T,
): Tables<Extract<keyof T, string>> {
  const problems = Object.entries(tables).flatMap(([key, definition]) => problemsOf(key, definition));
  if (problems.length > 0) throw new OncehookError('CONFIG_INVALID', problems.join('; '), { retryable: false });

  const names: Record<string, string> = {};
  for (const key of Object.keys(tables)) {
    Object.defineProperty(names, key, { enumerable: true, get: () => resolveTableName(key) });
  }
  Object.freeze(names);
  definitions.set(names, tables);
  return names as Tables<Extract<keyof T, string>>;
}

/**
 * The definitions behind the result of {@link defineTables}, for the stack.
 *
 * @throws OncehookError `CONFIG_INVALID` for any other object.
 */
export function describeTables(tables: object): Readonly<Record<string, TableDefinition>> {
  const found = definitions.get(tables);
  if (found === undefined) {
    throw new OncehookError(
      'CONFIG_INVALID',
      'lambda/handlers/tables.ts must export `tables`, made by defineTables(...)',
      {
        retryable: false,
      },
    );
  }
  return found;
}

/**
 * The key attributes of a table by its real name, where it is one of `tables` that the stack creates.
 */
export function tableKeys(tables: Tables): (name: string) => readonly string[] | undefined {
  return (name) => {
    const found = Object.entries(describeTables(tables)).find(([key]) => tables[key] === name)?.[1];
    if (found === undefined || 'import' in found) return undefined;
    return [attributeName(found.partitionKey), attributeName(found.sortKey)].filter((attribute) => attribute !== '');
  };
}

function resolveTableName(key: string): string {
  const variable = userTableVariable(key);
  const name = process.env[variable];
  if (name !== undefined && name !== '') return name;
  if (process.env['AWS_LAMBDA_FUNCTION_NAME'] === undefined) return key;
  throw new OncehookError('CONFIG_INVALID', `table ${key} has no name here: ${variable} is not set`, {
    retryable: false,
  });
}

function problemsOf(key: string, definition: TableDefinition): readonly string[] {
  const problems: string[] = [];
  if (!/^[A-Za-z][A-Za-z0-9]{0,39}$/.test(key)) {
    problems.push(`table ${JSON.stringify(key)}: a key is a letter and then up to 39 letters or digits`);
  }
  const known = 'import' in definition ? ['import', 'actions'] : ['partitionKey', 'sortKey', 'actions'];
  for (const option of Object.keys(definition)) {
    if (!known.includes(option)) problems.push(`table ${key}: unknown option ${option}; known are ${known.join(', ')}`);
  }
  if ('import' in definition) {
    if (definition.import === '') problems.push(`table ${key}: import needs the name of an existing table`);
  } else if (attributeName(definition.partitionKey) === '') {
    problems.push(`table ${key}: partitionKey needs an attribute name`);
  }
  if (definition.actions?.length === 0) problems.push(`table ${key}: actions is empty; leave it out for the default`);
  return problems;
}

const attributeName = (attribute: KeyAttribute | undefined): string =>
  attribute === undefined ? '' : typeof attribute === 'string' ? attribute : attribute.name;
