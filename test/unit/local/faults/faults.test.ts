import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../../local/faults/fault.ts';
import { faultRule } from '../../../../local/faults/rule.ts';
import type { Caller } from '../../../../local/gateway/callers.ts';
import { openGateway, type TestGateway } from '../gateway/a-gateway.ts';

let opened: TestGateway;
let caller: Caller;
const children: ChildProcess[] = [];

beforeEach(async () => {
  opened = await openGateway();
  caller = opened.admit();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await opened.close();
});

const PUT = new PutItemCommand({ TableName: 'Inbox', Item: { id: { S: 'a' } } });
const GET = new GetItemCommand({ TableName: 'Inbox', Key: { id: { S: 'a' } } });
const Put = { TableName: 'Inbox', Item: { id: { S: 'a' } } };
const TRANSACTION = new TransactWriteItemsCommand({ TransactItems: [{ Put }, { Put }, { Put }] });

const meet = (fault: Fault) => opened.gateway.faults.use(faultRule({ fault }));
const put = () => opened.clientOf(caller).send(PUT);

describe('a call that meets a fault', () => {
  it.each([
    ['InternalServerError', 500],
    ['ProvisionedThroughputExceededException', 400],
    ['ThrottlingException', 400],
    ['RequestLimitExceeded', 400],
    ['TransactionInProgressException', 400],
  ])('is refused with %s, status %d, and not applied', async (code, status) => {
    const { injected } = meet({ kind: 'refuse', code });

    await expect(put()).rejects.toMatchObject({
      name: code,
      message: 'local AWS was told to fail',
      $metadata: { httpStatusCode: status, requestId: expect.any(String) },
    });

    expect(opened.arrived).toEqual([]);
    expect(injected.refuse).toBe(1);
  });

  it('is throttled, and not applied', async () => {
    meet({ kind: 'throttle' });

    await expect(put()).rejects.toMatchObject({ name: 'ThrottlingException' });

    expect(opened.arrived).toEqual([]);
  });

  it.each([
    { fault: { kind: 'conflict', at: 1 }, code: 'TransactionConflict' },
    { fault: { kind: 'throttle', at: 1 }, code: 'ThrottlingError' },
  ] as const)('is cancelled as a transaction for the item at its place by $fault', async ({ fault, code }) => {
    meet(fault);

    const asked = opened.clientOf(caller).send(TRANSACTION);

    await expect(asked).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message: `Transaction cancelled, please refer cancellation reasons for specific reasons [None, ${code}, None]`,
      CancellationReasons: [{ Code: 'None' }, { Code: code, Message: expect.any(String) }, { Code: 'None' }],
    });
    expect(opened.arrived).toEqual([]);
  });

  it('is in the way of a transaction when it writes one item', async () => {
    meet({ kind: 'conflict' });

    await expect(put()).rejects.toMatchObject({ name: 'TransactionConflictException' });

    expect(opened.arrived).toEqual([]);
  });

  it('cannot be in the way of a transaction when it reads, and people are told of the rule', async () => {
    const { injected } = meet({ kind: 'conflict' });

    await expect(opened.clientOf(caller).send(GET)).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(opened.troubles).toEqual([expect.stringContaining('no transaction can be in the way of GetItem')]);
    expect(injected.conflict).toBe(0);
  });

  it('has its connection cut before it is applied', async () => {
    meet({ kind: 'cut' });

    await expect(put()).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(opened.arrived).toEqual([]);
  });

  it('is applied and loses its answer', async () => {
    meet({ kind: 'drop-answer' });

    await expect(put()).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(opened.arrived).toHaveLength(1);
  });

  it('is applied late', async () => {
    const { promise: wait, resolve: release } = Promise.withResolvers<void>();
    meet({ kind: 'delay-before', wait });
    const coming = opened.gateway.calls.next(() => true);

    const asked = put();
    await coming;
    const meanwhile = opened.arrived.length;
    release();
    await asked;

    expect(meanwhile).toBe(0);
    expect(opened.arrived).toHaveLength(1);
  });

  it('is applied late even when its sender has given up', async () => {
    const { promise: wait, resolve: release } = Promise.withResolvers<void>();
    meet({ kind: 'delay-before', wait });
    const coming = opened.gateway.calls.next(() => true);
    const giveUp = new AbortController();

    const asked = opened.clientOf(caller).send(PUT, { abortSignal: giveUp.signal });
    await coming;
    giveUp.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    const settled = opened.gateway.settled().then(() => opened.arrived.length);
    release();

    expect(await settled).toBe(1);
  });

  it('is applied at once and answered late', async () => {
    const { promise: wait, resolve: release } = Promise.withResolvers<void>();
    meet({ kind: 'delay-after', wait });

    const asked = put().then(() => 'answered');
    await expect.poll(() => opened.arrived.length).toBe(1);
    const first = await Promise.race([asked, new Promise((resolve) => setImmediate(() => resolve('not yet')))]);
    release();

    expect(first).toBe('not yet');
    expect(await asked).toBe('answered');
  });

  it('that is delayed by milliseconds takes at least as long', async () => {
    const { injected } = meet({ kind: 'delay-before', wait: 40 });
    const begun = performance.now();

    await put();

    // Timers may fire within the millisecond before.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(39);
    expect(injected['delay-before']).toBe(1);
  });

  it('gets the service’s own refusal through when no fault is for it', async () => {
    opened.answerWith({
      status: 400,
      body: '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Message":"The conditional request failed"}',
    });

    await expect(put()).rejects.toBeInstanceOf(ConditionalCheckFailedException);
  });
});

describe('a fault that kills', () => {
  /** A process in the place of an instance's. */
  function startProcess(): ChildProcess {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    children.push(child);
    caller.runsIn(child);
    return child;
  }

  it.each([
    { kind: 'kill-before', when: 'before', applied: 0 },
    { kind: 'kill-after', when: 'after', applied: 1 },
  ] as const)('by $kind ends the caller $when its call is applied', async ({ kind, when, applied }) => {
    const child = startProcess();
    const exited = once(child, 'exit');
    const { injected } = meet({ kind });

    await expect(put()).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(opened.arrived).toHaveLength(applied);
    expect(injected[kind]).toBe(1);
    expect(opened.gateway.faults.killed).toMatchObject([
      { when, pid: child.pid, call: { action: 'PutItem', instanceId: 'i-1' } },
    ]);
  });

  it('counts nothing when the caller has ended by itself', async () => {
    const child = startProcess();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { injected } = meet({ kind: 'kill-after' });

    await expect(put()).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(opened.arrived).toHaveLength(1);
    expect(injected['kill-after']).toBe(0);
    expect(opened.gateway.faults.killed).toEqual([]);
  });
});

describe('several sources of faults', () => {
  it('are asked in the order in which they came into use, and each counts its own', async () => {
    const first = opened.gateway.faults.use(faultRule({ fault: { kind: 'throttle' } }));
    const second = opened.gateway.faults.use(faultRule({ times: 2, fault: { kind: 'cut' } }));

    await expect(put()).rejects.toMatchObject({ name: 'ThrottlingException' });
    await expect(put()).rejects.toMatchObject({ code: 'ECONNRESET' });
    second.end();
    await put();

    expect(first.injected).toMatchObject({ throttle: 1, cut: 0 });
    expect(second.injected).toMatchObject({ throttle: 0, cut: 1 });
    expect(opened.gateway.faults.injected).toMatchObject({ throttle: 1, cut: 1, refuse: 0 });
  });
});

describe('a gateway that closes', () => {
  it('waits for no fault, and applies nothing that one holds', async () => {
    const { promise: wait, resolve: release } = Promise.withResolvers<void>();
    meet({ kind: 'delay-before', wait });
    const coming = opened.gateway.calls.next(() => true);
    const asked = put();
    await coming;

    await Promise.all([expect(asked).rejects.toMatchObject({ code: 'ECONNRESET' }), opened.gateway.close()]);
    release();
    // What was let go before these would be there before the second.
    for (const body of ['one', 'two']) await fetch(opened.serviceUrl, { method: 'POST', body });

    expect(opened.arrived.map(({ body }) => body.toString())).toEqual(['one', 'two']);
  });
});
