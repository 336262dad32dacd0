import { describe, expect, it } from 'vitest';
import { splitToFit } from '../../../../local/mappings/queue-batches.ts';
import { buildQueueRecord } from '../../../../local/mappings/queue-record.ts';

const aRecord = (MessageId: string) => buildQueueRecord({ MessageId, Body: 'ü"'.repeat(20) }, 'arn', 'us-east-1');
const eventOf = (records: readonly unknown[]) => Buffer.byteLength(JSON.stringify({ Records: records }));
const idsOf = (batches: ReturnType<typeof splitToFit>) => batches.map((batch) => batch.map((each) => each.messageId));

describe('the messages of one poll', () => {
  const records = ['a', 'b', 'c'].map(aRecord);

  it('are one event when they fit, to the byte', () => {
    const largest = eventOf(records) + 1;

    expect(idsOf(splitToFit(records, largest))).toEqual([['a', 'b', 'c']]);
    expect(idsOf(splitToFit(records, largest - 1))).toEqual([['a', 'b'], ['c']]);
  });

  it('are events of one each when no two fit, and none is left out for its own size', () => {
    expect(idsOf(splitToFit(records, 10))).toEqual([['a'], ['b'], ['c']]);
    expect(splitToFit([])).toEqual([]);
  });
});
