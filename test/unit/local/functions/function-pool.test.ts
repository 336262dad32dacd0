import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { closeServer, listenOnLoopback } from '../../../../local/http/loopback-server.ts';
import { createManualTimers } from '../../../support/manual-timers.ts';
import { aFunction, type RunningPool, startPool } from './a-function.ts';

let running: RunningPool | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const start = (...args: Parameters<typeof startPool>): RunningPool => {
  running = startPool(...args);
  return running;
};

/** Answers nobody until `count` have come, so that all of them run at once. */
async function startMeeting(count: number) {
  const present: ServerResponse[] = [];
  const server = createServer((_, response) => {
    present.push(response);
    if (present.length === count) for (const each of present) each.end('all here');
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

describe('a function here', () => {
  it('has the environment that Lambda gives it and of ours the path alone', async () => {
    const { run, pool } = start();

    const seen = await run({ do: 'describe' });

    const [instance] = pool.instances();
    expect(seen).toEqual({
      cwd: aFunction().codeDirectory,
      remainingMs: expect.any(Number),
      environment: {
        ONCEHOOK_JOIN_MS: '1500',
        AWS_ACCESS_KEY_ID: expect.stringMatching(/^LOCAL[0-9A-F]{16}$/),
        AWS_SECRET_ACCESS_KEY: expect.any(String),
        AWS_SESSION_TOKEN: expect.any(String),
        AWS_REGION: 'us-east-1',
        AWS_DEFAULT_REGION: 'us-east-1',
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
        AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:2',
        AWS_LAMBDA_FUNCTION_NAME: 'Oncehook-dev-Receive',
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
        AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/Oncehook-dev-Receive',
        AWS_LAMBDA_LOG_STREAM_NAME: `local/[$LATEST]${instance?.id}`,
        AWS_LAMBDA_RUNTIME_API: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        _HANDLER: 'index.handler',
        LAMBDA_TASK_ROOT: aFunction().codeDirectory,
        LANG: 'en_US.UTF-8',
        TZ: ':UTC',
        PATH: process.env['PATH'],
      },
    });
  });

  it('is told how much of its timeout is left', async () => {
    const { run } = start({ timeoutMs: 7000 });

    const seen = await run({ do: 'describe' });

    expect(seen).toMatchObject({ remainingMs: expect.toSatisfy((left: number) => left > 5000 && left <= 7000) });
  });

  it('fails with what its handler threw, and the instance goes on', async () => {
    const { run, pool } = start();

    const failed = await run({ do: 'throw' });
    const next = await run({ do: 'answer' });

    expect(failed).toEqual({ kind: 'failed', reason: 'TypeError: as told' });
    expect(next).toMatchObject({ statusCode: 200 });
    expect(pool.instances()).toHaveLength(1);
  });

  it('that ends its process has crashed, and the next call gets a new instance', async () => {
    const { run, pool } = start();

    const crashed = await run({ do: 'exit' });
    const next = await run({ do: 'answer' });

    expect(crashed).toEqual({ kind: 'crashed', reason: 'exited with status 3' });
    expect(next).toMatchObject({ statusCode: 200 });
    expect(pool.instances()).toHaveLength(1);
  });

  it('is killed at its timeout', async () => {
    const { run, pool, logs } = start({ timeoutMs: 300 });

    const result = await run({ do: 'hang' });

    expect(result).toEqual({ kind: 'timed-out' });
    expect(pool.instances()).toEqual([]);
    expect(logs.entries.at(-1)).toMatchObject({ from: 'platform', text: 'Task timed out after 0.30 seconds' });
  });

  it('whose module does not load answers each call with the reason', async () => {
    const { run, pool } = start({ environment: { FIXTURE_INIT: 'throw' } });

    const results = await Promise.all([run({ do: 'answer' }), run({ do: 'answer' })]);

    expect(results).toEqual([
      { kind: 'crashed', reason: 'Error: no such luck' },
      { kind: 'crashed', reason: 'Error: no such luck' },
    ]);
    expect(pool.instances()).toEqual([]);
  });

  it('may return as much as Lambda takes, and not a byte more', async () => {
    const { run } = start();
    const limit = 6 * 1024 * 1024;

    // Two of the bytes are the quotes of the text as JSON.
    const most = await run({ do: 'large', bytes: limit - 2 });
    const tooMuch = await run({ do: 'large', bytes: limit - 1 });

    expect(most).toHaveLength(limit - 2);
    expect(tooMuch).toEqual({ kind: 'failed', reason: `the result is over ${limit} bytes` });
  });

  it('has its lines in the log, with fields when they are JSON', async () => {
    const { run, logs } = start();

    await run({ do: 'print', text: 'one line' });

    const entry = await logs.waitFor(({ text }) => text.includes('one line'));
    expect(entry).toMatchObject({
      functionKey: 'receive',
      from: 'function',
      fields: { level: 'INFO', message: 'one line' },
    });
  });
});

describe('a pool of instances', () => {
  it('starts an instance for each call that runs at once, and one call each', async () => {
    const { run, pool } = start();
    const meeting = await startMeeting(6);

    const met = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run({ do: 'meet', url: meeting.url })));

    expect(new Set(met.map((each) => JSON.stringify(each))).size).toBe(6);
    expect(pool.instances()).toHaveLength(6);
    await meeting.close();
  });

  it('uses the instance again that was used last', async () => {
    const { run } = start();
    const meeting = await startMeeting(2);
    await Promise.all([1, 2].map(() => run({ do: 'meet', url: meeting.url })));
    await meeting.close();

    const first = await run({ do: 'answer' });
    const second = await run({ do: 'answer' });

    expect(second).toEqual(first);
  });

  it('at its limit lets calls wait in line', async () => {
    const { run, pool } = start({}, { maxInstances: 1 });

    const pids = await Promise.all([1, 2, 3].map(() => run({ do: 'answer' })));

    expect(new Set(pids.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(pool.instances()).toHaveLength(1);
  });

  it('at its limit lets a call wait for its time, and no longer', async () => {
    const timers = createManualTimers();
    const { run, logs } = start({}, { maxInstances: 1, waitMs: 1000 }, timers);
    const meeting = await startMeeting(2);
    const served = run({ do: 'meet', url: meeting.url });
    const inLine = run({ do: 'answer' });

    timers.advance(999);
    const before = await Promise.race([inLine, Promise.resolve('still in line')]);
    timers.advance(1);

    expect(before).toBe('still in line');
    expect(await inLine).toEqual({ kind: 'throttled' });
    expect(logs.entries.at(-1)).toMatchObject({ from: 'platform', text: 'throttled: all 1 instances are busy' });
    // The other has waited as long, but for its own instance to start.
    await fetch(meeting.url);
    expect(await served).toMatchObject({ met: 'all here' });
    await meeting.close();
  });

  it('at its limit refuses at once, when told so, the call for which there is no instance', async () => {
    const { run, pool } = start({}, { maxInstances: 2, waitMs: 0 });

    const results = await Promise.all([1, 2, 3].map(() => run({ do: 'answer' })));

    expect(results.filter((each) => JSON.stringify(each) === '{"kind":"throttled"}')).toHaveLength(1);
    expect(pool.instances()).toHaveLength(2);
  });

  it('ends an instance that nobody has used for a time', async () => {
    const timers = createManualTimers();
    const { run, pool } = start({}, { idleMs: 1000 }, timers);
    const first = await run({ do: 'answer' });

    timers.advance(999);
    const second = await run({ do: 'answer' });
    timers.advance(999);
    const third = await run({ do: 'answer' });
    timers.advance(1000);
    await expect.poll(() => pool.instances()).toEqual([]);
    const fourth = await run({ do: 'answer' });

    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toEqual(first);
  });

  it('answers the call of an instance that is killed, and starts another for the next', async () => {
    const { run, pool, logs } = start();
    const hanging = run({ do: 'hang' });
    await logs.waitFor(({ fields }) => fields?.['message'] === 'hanging');

    const killed = await pool.killInstances();

    expect(killed).toBe(1);
    expect(await hanging).toEqual({ kind: 'crashed', reason: 'exited with signal SIGKILL' });
    expect(await run({ do: 'answer' })).toMatchObject({ statusCode: 200 });
  });

  it('gives new code new instances, and lets old ones finish first', async () => {
    const { run, pool } = start();
    const meeting = await startMeeting(2);
    const onOldCode = run({ do: 'meet', url: meeting.url });

    pool.replace(aFunction({ environment: { CODE: 'new' } }));
    const described = await run({ do: 'describe' });
    await fetch(meeting.url);

    expect(described).toMatchObject({ environment: { CODE: 'new' } });
    expect(await onOldCode).toMatchObject({ met: 'all here' });
    await meeting.close();
  });
});
