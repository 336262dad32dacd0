import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

/** Some rows of a table, as texts. */
export interface TableView {
  readonly key: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** One text a column; empty where the row has no such attribute. */
  readonly rows: readonly (readonly string[])[];
  /** There are more rows than these. */
  readonly more: boolean;
}

const ROWS_READ = 200;
const ROWS_SHOWN = 50;

/** Reads the first rows of a table, those with the latest time first where they have one. */
export async function viewTable(client: DynamoDBClient, key: string, name: string): Promise<TableView> {
  const { Items: items = [], LastEvaluatedKey: next } = await client.send(
    new ScanCommand({ TableName: name, Limit: ROWS_READ }),
  );
  const columns = columnsOf(items);
  const rows = items
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, ROWS_SHOWN)
    .map((item) => columns.map((column) => formatAttribute(item[column])));
  return { key, name, columns, rows, more: next !== undefined || items.length > ROWS_SHOWN };
}

type Item = Readonly<Record<string, AttributeValue>>;

/** What says most about a row comes first; the rest in order of the alphabet. */
const FIRST_COLUMNS = ['id', 'resource', 'status', 'type', 'attempts', 'processedAt', 'receivedAt', 'topic', 'payload'];

function columnsOf(items: readonly Item[]): readonly string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].sort();
  const first = FIRST_COLUMNS.filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
}

const timeOf = (item: Item): string => item['processedAt']?.S ?? item['receivedAt']?.S ?? item['createdAtMs']?.N ?? '';

/** An attribute as a short text, every digit of a number kept. */
export function formatAttribute(value: AttributeValue | undefined): string {
  if (value === undefined) return '';
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return value.N;
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.NULL !== undefined) return 'null';
  if (value.B !== undefined) return `${value.B.byteLength} bytes`;
  if (value.L !== undefined) return `[${value.L.map(formatAttribute).join(', ')}]`;
  if (value.M !== undefined) {
    return `{${Object.entries(value.M)
      .map(([name, inner]) => `${name}: ${formatAttribute(inner)}`)
      .join(', ')}}`;
  }
  return (value.SS ?? value.NS ?? []).join(', ');
}
