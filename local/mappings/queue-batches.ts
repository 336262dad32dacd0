import { MAX_PAYLOAD_BYTES } from '../functions/invocation.ts';
import type { QueueRecord } from './queue-record.ts';

/** `{"Records":[]}`, and a comma for each record. */
const FRAME_BYTES = 14;

/**
 * Divides records so that each part fits an invocation: ten messages can be larger than an event may be.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html
 */
export function splitToFit(records: readonly QueueRecord[], maxBytes = MAX_PAYLOAD_BYTES): readonly QueueRecord[][] {
  const batches: QueueRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (bytes + size > maxBytes) {
      batches.push([]);
      bytes = FRAME_BYTES;
    }
    batches.at(-1)?.push(record);
    bytes += size;
  }
  return batches;
}
