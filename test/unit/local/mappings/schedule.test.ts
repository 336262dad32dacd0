import { describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../../../local/functions/invocation.ts';
import type { Timers } from '../../../../local/functions/timers.ts';
import { startSchedule } from '../../../../local/mappings/schedule.ts';
import { A_PLACE } from '../fixtures/a-template.ts';

const RULE = 'arn:aws:events:us-east-1:000000000000:rule/Oncehook-dev-EveryMinute';

/** Time that passes when it is told to. */
function manualTimers(): Timers & { pass(ms: number): Promise<void>; now: () => number } {
  let now = 0;
  let waiting: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const wait = { at: now + ms, run };
      waiting.push(wait);
      return () => {
        waiting = waiting.filter((each) => each !== wait);
      };
    },
    async pass(ms) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { run } of due) run();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function start({ byItself = true, maxRetries = 0, input = undefined as string | undefined, fails = false } = {}) {
  const timers = manualTimers();
  const payloads: string[] = [];
  const result: InvocationResult = fails ? { kind: 'timed-out' } : { kind: 'returned', payload: 'null' };
  const schedule = startSchedule(
    {
      logicalId: 'EveryMinute',
      ruleArn: RULE,
      functionKey: 'sweep',
      functionName: 'Oncehook-dev-Sweep',
      everyMs: 60_000,
      input,
      maxRetries,
    },
    {
      place: A_PLACE,
      invoke: async (_, payload) => {
        payloads.push(payload);
        return result;
      },
      byItself,
      now: timers.now,
      timers,
    },
  );
  return { schedule, timers, payloads };
}

describe('a schedule', () => {
  it('gives the function EventBridge’s event', async () => {
    const { schedule, payloads } = start();

    expect(await schedule.fire()).toEqual({ kind: 'returned', payload: 'null' });

    expect(payloads.map((payload) => JSON.parse(payload))).toEqual([
      {
        version: '0',
        id: expect.any(String),
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        account: '000000000000',
        time: '1970-01-01T00:00:00Z',
        region: 'us-east-1',
        resources: [RULE],
        detail: {},
      },
    ]);
  });

  it('gives the input of its target in the place of it', async () => {
    const { schedule, payloads } = start({ input: '{"a":1}' });

    await schedule.fire();

    expect(payloads).toEqual(['{"a":1}']);
  });

  it('runs by itself each time its rate has come round, and no more after the end', async () => {
    const { schedule, timers, payloads } = start();

    await timers.pass(59_999);
    expect(payloads).toHaveLength(0);
    await timers.pass(1);
    await timers.pass(60_000);
    expect(payloads).toHaveLength(2);
    schedule.stop();
    await timers.pass(60_000);
    expect(payloads).toHaveLength(2);
  });

  it('runs on request alone when it is told to', async () => {
    const { timers, payloads } = start({ byItself: false });

    await timers.pass(600_000);

    expect(payloads).toEqual([]);
  });

  it('tries a run that failed again as often as the function says, with the same event', async () => {
    const { schedule, timers, payloads } = start({ fails: true, maxRetries: 1 });

    await timers.pass(60_000);
    expect(payloads).toHaveLength(1);
    await timers.pass(60_000);
    expect(payloads).toHaveLength(3);
    expect(payloads.filter((payload) => payload === payloads[0])).toHaveLength(2);
    schedule.stop();
  });
});
