import { describe, expect, it } from 'vitest';
import { createLogFeed } from '../../../../local/functions/log-feed.ts';
import { formatLogEntry, paintPlain } from '../../../../local/functions/print-log.ts';

function printed(text: string, from: 'function' | 'platform' = 'function'): string | undefined {
  const logs = createLogFeed();
  logs.write({ functionKey: 'receive', instanceId: 'i-1', from, text });
  const [entry] = logs.entries;
  return entry === undefined ? undefined : formatLogEntry(entry, paintPlain);
}

describe('what is printed of a function’s log', () => {
  it('is one short line for an outcome', () => {
    const line = printed(
      '{"level":"INFO","message":"event outcome","outcome":"duplicate","source":"stripe","eventType":"invoice.paid","eventId":"evt_1","durationMs":4}',
    );

    expect(line).toBe('receive  duplicate    stripe  invoice.paid  evt_1  4 ms');
  });

  it('has the error of an outcome that has one', () => {
    const line = printed(
      '{"message":"event outcome","outcome":"failed","source":"s","errorName":"TypeError","errorMessage":"x is not"}',
    );

    expect(line).toBe('receive  failed       s  TypeError: x is not');
  });

  it('leaves metrics out', () => {
    expect(printed('{"_aws":{"CloudWatchMetrics":[]},"Processed":1}')).toBeUndefined();
  });

  it('is the whole line of a warning and the message of other lines', () => {
    const warning = '{"level":"WARN","message":"secret is stale","age":3}';

    expect(printed(warning)).toBe(`receive  ${warning}`);
    expect(printed('{"level":"INFO","message":"from a handler"}')).toBe('receive  from a handler');
    expect(printed('plain text')).toBe('receive  plain text');
    expect(printed('Task timed out after 3.00 seconds', 'platform')).toBe('receive  Task timed out after 3.00 seconds');
  });
});
