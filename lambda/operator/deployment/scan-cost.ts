/** How large a table is. DynamoDB counts every six hours or so. */
export interface TableSize {
  readonly items: number;
  readonly bytes: number;
}

/**
 * An eventually consistent read unit covers 8 KB of what a scan reads.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
const BYTES_PER_UNIT = 8 * 1024;

/** On demand in us-east-1. @see https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const DOLLARS_PER_UNIT = 0.125 / 1e6;

/** What reading all of a table takes. */
export const scanCost = ({ bytes }: TableSize): { readonly readUnits: number; readonly dollars: number } => {
  const readUnits = Math.ceil(bytes / BYTES_PER_UNIT);
  return { readUnits, dollars: readUnits * DOLLARS_PER_UNIT };
};

/** For people, before the scan begins. */
export function describeScan(table: string, size: TableSize): string {
  const { readUnits, dollars } = scanCost(size);
  const price = dollars < 0.01 ? 'under $0.01' : `about $${dollars.toFixed(2)}`;
  return (
    `a scan reads all of the ${table}: about ${count(size.items, 'row')}, ${count(readUnits, 'read unit')}, ${price} ` +
    'on demand in us-east-1 (AWS counts rows every six hours)'
  );
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
