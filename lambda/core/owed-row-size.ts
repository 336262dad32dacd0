import { sizeOfItem } from './attribute-size.ts';
import { encodeItem } from './attribute-value.ts';
import { MAX_SEND_ATTEMPTS } from './owed-message.ts';
import type { OutboxMessage } from './ports.ts';

/**
 * Longest item in bytes, names and values.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const MAX_ROW_BYTES = 400 * 1024;

/** As long as any time of the next two centuries. */
const ANY_TIME_MS = 9_999_999_999_999;

/**
 * Bytes of a message's row in the longest form that it can take until it is sent: a row that the commit can write and
 * nobody could put off would stop the sweep.
 */
export const largestRowBytes = ({ id, topic, payload, group }: OutboxMessage): number =>
  sizeOfItem(
    encodeItem({
      id,
      topic,
      payload,
      ...(group === undefined ? {} : { group }),
      createdAtMs: ANY_TIME_MS,
      dueAtMs: ANY_TIME_MS,
      state: 'retry',
      attempts: MAX_SEND_ATTEMPTS,
    }),
  );
