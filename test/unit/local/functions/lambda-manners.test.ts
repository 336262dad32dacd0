import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { heapOptions, readPrivateMemoryMb } from '../../../../local/functions/memory.ts';
import { closeServer, listenOnLoopback } from '../../../../local/http/loopback-server.ts';
import { stateOf } from '../../../support/process-list.ts';
import { type RunningPool, startPool } from './a-function.ts';

let running: RunningPool | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const start = (...args: Parameters<typeof startPool>): RunningPool => {
  running = startPool(...args);
  return running;
};

const pidOf = ({ pool }: RunningPool): number | undefined => pool.instances()[0]?.pid;

async function startCounter() {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end('here');
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}`, calls: () => calls, close: () => closeServer(server) };
}

describe('an instance between two invocations', () => {
  it('is frozen, and what it left running goes on in the next one', async () => {
    const pool = start();
    const counter = await startCounter();

    const first = await pool.run({ do: 'leave', url: counter.url });
    await expect.poll(() => stateOf(pidOf(pool))).toBe('frozen');
    const callsWhileFrozen = counter.calls();
    const next = await pool.run({ do: 'finish' });

    expect(callsWhileFrozen).toBe(0);
    expect(next).toEqual({ ...(first as object), met: 'here' });
    expect(counter.calls()).toBe(1);
    await counter.close();
  });

  it('can be killed all the same', async () => {
    const pool = start();
    const first = await pool.run({ do: 'answer' });
    await expect.poll(() => stateOf(pidOf(pool))).toBe('frozen');

    const killed = await pool.pool.killInstances();

    expect(killed).toBe(1);
    expect(pool.pool.instances()).toEqual([]);
    expect(await pool.run({ do: 'answer' })).not.toEqual(first);
  });

  it('that ended meanwhile is not used for the next', async () => {
    const pool = start();
    await pool.run({ do: 'answer' });
    process.kill(pidOf(pool) ?? 0, 'SIGKILL');
    await expect.poll(() => pool.pool.instances()).toEqual([]);

    expect(await pool.run({ do: 'answer' })).toMatchObject({ statusCode: 200 });
  });
});

describe('the time-out', () => {
  it('is whole again for each invocation, however long the instance has lived', async () => {
    const timeoutMs = 400;
    const pool = start({ timeoutMs });
    const first = await pool.run({ do: 'answer' });
    const startedAt = Date.now();

    let last: unknown;
    while (Date.now() <= startedAt + timeoutMs) last = await pool.run({ do: 'answer' });

    expect(last).toEqual(first);
  });

  it('counts from the start of the invocation that it ends', async () => {
    const pool = start({ timeoutMs: 300 });
    await pool.run({ do: 'answer' });
    await expect.poll(() => stateOf(pidOf(pool))).toBe('frozen');

    const startedAt = Date.now();
    const result = await pool.run({ do: 'hang' });

    expect(result).toEqual({ kind: 'timed-out' });
    // Timers count whole milliseconds.
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(299);
  });
});

describe('the memory of a function', () => {
  it('is told to V8 as Lambda tells it', async () => {
    const pool = start({ memoryMb: 200 });

    const heap = await pool.run({ do: 'heap' });

    expect(heapOptions(200)).toEqual(['--max-semi-space-size=10', '--max-old-space-size=180']);
    // Old objects, and three halves of 16 MB for new ones: V8 rounds them to a power of two.
    expect(heap).toEqual({ limitMb: expect.toSatisfy((mb: number) => mb >= 180 && mb <= 180 + 3 * 16) });
  });

  // Only Linux tells what a process uses.
  describe.skipIf(!existsSync('/proc/self/status'))('where it can be seen', () => {
    it.each([
      { when: 'while it runs', hang: true },
      { when: 'and answers before anybody has looked', hang: false },
    ])('ends an instance that outgrows it $when', async ({ hang }) => {
      const pool = start({ memoryMb: 128 });
      const first = await pool.run({ do: 'answer' });

      const result = await pool.run({ do: 'grow', mb: 144, hang });

      const reason = expect.stringMatching(/^exited with signal SIGKILL: out of memory, \d{3} MB of 128 MB$/);
      expect(result).toEqual({ kind: 'crashed', reason });
      expect(pool.logs.entries.at(-1)).toMatchObject({ from: 'platform', text: expect.stringContaining('128 MB') });
      const next = await pool.run({ do: 'answer' });
      expect(next).toMatchObject({ statusCode: 200 });
      expect(next).not.toEqual(first);
    });

    it('lets an instance be that stays within it', async () => {
      const pool = start({ memoryMb: 128 });

      expect(await pool.run({ do: 'grow', mb: 40 })).toBe('grown');
      expect(pool.pool.instances()).toHaveLength(1);
    });

    it('is that of a process alone, and of none when it has gone', () => {
      const before = readPrivateMemoryMb(process.pid) ?? Number.NaN;
      const more = Buffer.alloc(64 * 1024 * 1024, 1);
      const after = readPrivateMemoryMb(process.pid) ?? Number.NaN;

      expect(after - before).toBeGreaterThan(48);
      expect(after - before).toBeLessThan(80);
      expect(more[0]).toBe(1);
      // Process numbers end far below.
      expect(readPrivateMemoryMb(2 ** 30)).toBeUndefined();
    });
  });
});
