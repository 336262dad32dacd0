import type { AttributeValue, Item } from '../core/attribute-value.ts';
import { decodeOwedRow } from '../core/owed-row.ts';
import type { StreamRecord } from './dispatch-batch.ts';

/**
 * The records of a stream event that have a new image. The mapping's filter lets through fresh rows
 * alone; a record without an image is a removal, and there is nothing to send.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
export function readRecords(event: unknown): readonly StreamRecord[] {
  const records = at(event, 'Records');
  if (!Array.isArray(records)) throw new TypeError('not an event of a DynamoDB stream');
  return records.flatMap((record: unknown) => {
    const change = at(record, 'dynamodb');
    const image = at(change, 'NewImage');
    if (typeof image !== 'object' || image === null) return [];
    return [{ sequenceNumber: String(at(change, 'SequenceNumber') ?? ''), row: decodeOwedRow(toItem(image)) }];
  });
}

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** A stream's image is an item but for bytes, which come as base64; an outbox row has none. */
const toItem = (image: object): Item =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, value as AttributeValue]));
