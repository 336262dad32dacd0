import { describe, expect, it } from 'vitest';
import type { Handler, TransactWriteItem } from '../../lambda/core/handler.ts';
import { dynamoStages, TABLES } from '../support/dynamodb-stage.ts';
import { anEvent } from '../support/events.ts';
import {
  createProtocol,
  credit,
  freezeInHandler,
  lostAnswer,
  type Protocol,
  type ProtocolOptions,
  sdkError,
} from '../support/protocol.ts';

const isTransaction = ({ name }: { readonly name: string }): boolean => name === 'TransactWriteItemsCommand';
const conflict = (): Error =>
  sdkError('TransactionCanceledException', {
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }, { Code: 'None' }],
  });

const setPlan =
  (plan: string): Handler<never> =>
  async (_event, work) =>
    work.write({
      Update: {
        TableName: TABLES.accounts,
        Key: { accountId: 'acct-1' },
        UpdateExpression: 'SET #plan = :plan',
        ExpressionAttributeNames: { '#plan': 'plan' },
        ExpressionAttributeValues: { ':plan': plan },
      },
    });

describe.each(dynamoStages)('committing over %s', (_name, makeStage) => {
  const make = async (options?: ProtocolOptions): Promise<Protocol> => createProtocol(await makeStage(), options);

  it('stops a worker that wakes up after its event was taken over and committed', async () => {
    const protocol = await make();
    const { stage, process, clock } = protocol;
    const { outcome: zombie, thaw } = await freezeInHandler(protocol, credit());
    clock.advance(11_000);
    expect((await process(anEvent(), credit())).kind).toBe('processed');

    thaw();

    expect(await zombie).toEqual({ kind: 'duplicate', bodyMismatch: false });
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500, entries: 1 }]);
    expect(await stage.items('outbox')).toHaveLength(1);
  });

  it('stops a worker that wakes up while the next one is still at work', async () => {
    const protocol = await make();
    const { stage, process, clock } = protocol;
    const { outcome: zombie, thaw } = await freezeInHandler(protocol, credit());
    clock.advance(11_000);

    const next = await process(anEvent(), async (event, work) => {
      thaw();
      expect(await zombie).toEqual({ kind: 'claim-lost' });
      return credit()(event, work);
    });

    expect(next).toEqual({ kind: 'processed', attempt: 2 });
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500, entries: 1 }]);
  });

  it('does not give back what a woken worker no longer holds', async () => {
    const protocol = await make();
    const { stage, process, clock } = protocol;
    const { outcome: zombie, thaw } = await freezeInHandler(protocol, async () => {
      throw new Error('too late');
    });
    clock.advance(11_000);
    await process(anEvent(), credit());

    thaw();

    expect(await zombie).toEqual({ kind: 'claim-lost' });
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'processed', failures: 0 });
  });

  it('repeats a commit that met a conflict, unchanged and after a wait', async () => {
    const { stage, process, clock } = await make();
    let conflicts = 0;
    stage.intercept((call) => {
      if (!isTransaction(call) || conflicts >= 2) return undefined;
      conflicts += 1;
      return { before: conflict() };
    });

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });

    const sent = stage.calls.filter(isTransaction);
    expect(sent).toHaveLength(3);
    expect(sent[2]?.input).toEqual(sent[0]?.input);
    expect(clock.waits).toEqual([20, 40]);
  });

  it('fails, and releases, when the conflicts last as long as the invocation', async () => {
    const { stage, process, clock } = await make();
    const end = clock.now() + 10_000;
    stage.intercept((call) => (isTransaction(call) ? { before: conflict() } : undefined));

    const outcome = await process(anEvent(), credit());

    expect(outcome).toMatchObject({ kind: 'failed', error: { message: 'the commit stayed busy: conflict' } });
    expect(clock.now()).toBeLessThan(end);
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'failed', attempts: 1, failures: 1 });
  });

  it('leaves no mark when the commit was throttled, and applies the redelivery', async () => {
    const { stage, process } = await make();
    stage.intercept((call) => (isTransaction(call) ? { before: sdkError('ThrottlingException') } : undefined));
    expect((await process(anEvent(), credit())).kind).toBe('failed');
    expect((await stage.items('inbox'))[0]).not.toHaveProperty('processedAt');
    stage.intercept(undefined);

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 2 });
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500, entries: 1 }]);
  });

  it('finds out that a commit went through whose answer was lost', async () => {
    const { stage, process } = await make();
    let lost = false;
    stage.intercept((call) => {
      if (!isTransaction(call) || lost) return undefined;
      lost = true;
      return { after: lostAnswer() };
    });

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500, entries: 1 }]);
  });

  it('finds it out by the release when every answer is lost', async () => {
    const { stage, process } = await make();
    stage.intercept((call) => (isTransaction(call) ? { after: lostAnswer() } : undefined));

    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'processed', failures: 0 });
  });

  it('fails when no commit arrived: the release proves it, and a late one is fenced', async () => {
    const { stage, process } = await make();
    stage.intercept((call) => (isTransaction(call) ? { before: lostAnswer() } : undefined));

    const outcome = await process(anEvent(), credit());
    stage.intercept(undefined);
    const { TransactWriteItemsCommand } = await import('@aws-sdk/client-dynamodb');
    const [late] = stage.calls.filter(isTransaction);

    expect(outcome).toMatchObject({ kind: 'failed', attempt: 1 });
    await expect(stage.client.send(new TransactWriteItemsCommand(late?.input as never))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
    });
    expect(await stage.items('accounts')).toEqual([]);
  });

  it('leaves the claim to its lease when the release is lost too, and keeps the reason', async () => {
    const { stage, process, clock, warnings } = await make();
    stage.intercept(({ name }) => (name === 'UpdateItemCommand' ? { before: lostAnswer() } : undefined));

    const outcome = await process(anEvent(), async () => {
      throw new Error('boom');
    });
    stage.intercept(undefined);

    expect(outcome).toEqual({ kind: 'store-down', reason: 'STORE_UNAVAILABLE' });
    expect(warnings[0]?.fields).toMatchObject({ error: 'boom' });
    clock.advance(11_000);
    expect(await process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 2 });
  });

  it('makes a condition of the handler that failed the handler’s own failure', async () => {
    const { stage, process } = await make();
    await stage.put('accounts', { accountId: 'acct-1', balance: 7 });
    const write: TransactWriteItem = {
      Update: {
        TableName: TABLES.accounts,
        Key: { accountId: 'acct-1' },
        UpdateExpression: 'SET balance = :new',
        ConditionExpression: 'balance = :read',
        ExpressionAttributeValues: { ':new': 9, ':read': 8 },
      },
    };

    const outcome = await process(anEvent(), async (_event, work) => {
      work.write(write);
      work.emit('receipt.requested', {});
    });

    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'ConditionFailed' } });
    expect(await stage.items('outbox')).toEqual([]);
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'failed', lastError: { name: 'ConditionFailed' } });
  });

  it('never tries again what DynamoDB calls invalid', async () => {
    const { stage, process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      work.write({ Put: { TableName: TABLES.accounts, Item: { accountId: 'big', text: 'x'.repeat(410_000) } } });
    });

    expect(outcome).toMatchObject({ kind: 'parked', reason: 'permanent' });
    expect(stage.calls.filter(isTransaction)).toHaveLength(1);
    expect(await stage.items('accounts')).toEqual([]);
  });

  it('ends what nobody foresaw as a failure, and applies the event the next time', async () => {
    const { process } = await make();
    const odd = anEvent();
    Object.defineProperty(odd, 'types', { value: undefined });

    expect(await process(odd, credit())).toMatchObject({ kind: 'failed', attempt: 0, error: { name: 'TypeError' } });
    expect(await process(anEvent(), credit())).toMatchObject({ kind: 'processed' });
  });

  it('never blames the event for a table that is missing', async () => {
    const { stage, process } = await make();

    const outcome = await process(anEvent(), async (_event, work) => {
      work.write({ Put: { TableName: 'nowhere', Item: { accountId: 'a' } } });
    });

    expect(outcome).toEqual({ kind: 'store-down', reason: 'STORE_MISCONFIGURED' });
    expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'failed', attempts: 0, failures: 0 });
  });

  it('applies ten events of one account that arrive at once', async () => {
    const { stage, process } = await make({ random: Math.random });
    let conflicts = 0;
    stage.intercept((call) => {
      if (!isTransaction(call) || conflicts >= 15) return undefined;
      conflicts += 1;
      return { before: conflict() };
    });

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => process(anEvent({ eventId: `e${n}` }), credit(1))),
    );

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array.from({ length: 10 }, () => 'processed'));
    expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 10, entries: 10 }]);
  });

  describe('order', () => {
    const update = (sequence: unknown) => ({
      handle: credit(1),
      order: { resource: () => 'acct-1', sequence: () => sequence as number },
    });

    it('drops an event older than the last one applied, and remembers that it did', async () => {
      const { stage, process } = await make();
      await process(anEvent({ eventId: 'new' }), update(2));

      expect(await process(anEvent({ eventId: 'old' }), update(1))).toEqual({ kind: 'superseded', attempt: 1 });
      expect((await process(anEvent({ eventId: 'old' }), update(1))).kind).toBe('duplicate');
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 1, entries: 1 }]);
      expect((await stage.items('inbox')).find((row) => row['eventId'] === 'old')).toMatchObject({
        status: 'superseded',
      });
    });

    it('lets the newest of many concurrent events win', async () => {
      const { stage, process } = await make();

      await Promise.all(
        [3, 1, 5, 2, 4].map((sequence) => process(anEvent({ eventId: `e${sequence}` }), update(sequence))),
      );

      expect(await stage.items('sequences')).toEqual([{ resource: 'bazaar#acct-1', lastSequence: 5, eventId: 'e5' }]);
    });

    it('ends with the state of the newest of many concurrent events, and each ends as applied or superseded', async () => {
      const { stage, process } = await make();
      const state = (plan: string, sequence: string) => ({
        ...update(sequence),
        handle: setPlan(plan),
      });

      const outcomes = await Promise.all(
        ['30', '4', '100', '22', '9'].map((sequence) =>
          process(anEvent({ eventId: `e${sequence}` }), state(`plan ${sequence}`, sequence)),
        ),
      );

      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', plan: 'plan 100' }]);
      expect(outcomes[2]?.kind).toBe('processed');
      expect(outcomes.map(({ kind }) => kind).filter((kind) => kind !== 'processed' && kind !== 'superseded')).toEqual(
        [],
      );
    });

    it('leaves gaps open: what comes after one is applied, and what belonged into it is dropped', async () => {
      const { stage, process } = await make();
      const kinds: string[] = [];

      for (const sequence of [1, 2, 4, 3, 5]) {
        kinds.push((await process(anEvent({ eventId: `e${sequence}` }), update(sequence))).kind);
      }

      expect(kinds).toEqual(['processed', 'processed', 'processed', 'superseded', 'processed']);
      expect(await stage.items('sequences')).toEqual([{ resource: 'bazaar#acct-1', lastSequence: 5, eventId: 'e5' }]);
    });

    it.each([
      ['drop', 1],
      ['apply', 5],
    ] as const)('of five concurrent events with one sequence, tie %s applies %d', async (tie, applied) => {
      const { stage, process } = await make();
      const { handle, order } = update(7);

      await Promise.all(
        [1, 2, 3, 4, 5].map((n) => process(anEvent({ eventId: `e${n}` }), { handle, order: { ...order, tie } })),
      );

      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: applied, entries: applied }]);
    });

    it('applies a cleared event again: it is never superseded by itself', async () => {
      const { stage, process } = await make();
      await process(anEvent(), update(7));
      const [row] = await stage.items('inbox');
      await stage.put('inbox', { ...row, status: 'cleared' });

      expect((await process(anEvent(), update(7))).kind).toBe('processed');
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 2, entries: 2 }]);
    });

    it('drops a cleared event when a newer one was applied in the meantime', async () => {
      const { stage, process } = await make();
      await process(anEvent({ eventId: 'old' }), update(7));
      await process(anEvent({ eventId: 'new' }), update(8));
      const old = (await stage.items('inbox')).find((row) => row['eventId'] === 'old');
      await stage.put('inbox', { ...old, status: 'cleared' });

      expect((await process(anEvent({ eventId: 'old' }), update(7))).kind).toBe('superseded');
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 2, entries: 2 }]);
    });

    it('keeps the resources of two sources apart', async () => {
      const { process } = await make();
      await process(anEvent({ eventId: 'e1' }), update(9));

      expect((await process(anEvent({ source: 'market', eventId: 'e1' }), update(1))).kind).toBe('processed');
    });

    it.each([[1.5], [2 ** 53], ['12x'], [''], [undefined], ['1'.repeat(39)]])(
      'never tries again an event whose sequence is %s',
      async (sequence) => {
        const { stage, process } = await make();

        expect((await process(anEvent(), update(sequence))).kind).toBe('parked');
        expect(await stage.items('sequences')).toEqual([]);
      },
    );

    it.each([['0012'], [12n], [12], ['1'.repeat(38)]])('takes %s as a sequence', async (sequence) => {
      const { process } = await make();

      expect((await process(anEvent(), update(sequence))).kind).toBe('processed');
    });
  });
});
