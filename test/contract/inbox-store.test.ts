import { describe, expect, it } from 'vitest';
import { createInboxStore } from '../../lambda/adapters/dynamodb/inbox-store.ts';
import { encodeValue } from '../../lambda/core/attribute-value.ts';
import type { TransactWriteItem } from '../../lambda/core/handler.ts';
import type { Claim, CommitRequest, EncodedWrite, InboxStore, WantedClaim } from '../../lambda/core/ports.ts';
import { days, type EpochSeconds, plus } from '../../lambda/core/time.ts';
import { encodeResult } from '../../lambda/process/unit-of-work.ts';
import { createWrites } from '../../lambda/process/writes.ts';
import { type DynamoStage, dynamoStages, TABLES } from '../support/dynamodb-stage.ts';
import { anEvent } from '../support/events.ts';
import { T0 } from '../support/manual-clock.ts';
import { lostAnswer, sdkError } from '../support/protocol.ts';

const EXPIRES = 1_900_000_000 as EpochSeconds;
const LEASE = plus(T0, 11_000);

const wanted = (token: string, changes: Partial<WantedClaim> = {}): WantedClaim => ({
  event: anEvent(),
  token,
  leaseUntil: LEASE,
  expiresAt: EXPIRES,
  ...changes,
});

const heldBy = (token: string, changes: Partial<Claim> = {}): Claim => ({
  event: anEvent(),
  token,
  attempts: 1,
  failures: 0,
  receivedAt: T0,
  steps: {},
  ...changes,
});

interface CommitChanges extends Partial<Omit<CommitRequest, 'writes' | 'result'>> {
  readonly writes?: readonly TransactWriteItem[];
  readonly result?: unknown;
}

const request = (token: string, { writes = [], result, ...changes }: CommitChanges = {}): CommitRequest => ({
  claim: heldBy(token),
  committedAt: plus(T0, 50),
  expiresAt: EXPIRES,
  result: encodeResult(result),
  order: undefined,
  writes: writes.map(encoded),
  messages: [],
  ...changes,
});

/** Each by itself: what DynamoDB makes of two writes to one item is its own to say here. */
function encoded(write: TransactWriteItem): EncodedWrite {
  const { add, items } = createWrites([], () => undefined);
  add(write);
  const [first] = items;
  if (first === undefined) throw new Error('nothing was encoded');
  return first;
}

const stepOf = (value: unknown, finishedAt: string) =>
  encodeValue(value === undefined ? { finishedAt } : { value, finishedAt }, 'step');

const creditWrite = {
  Update: {
    TableName: TABLES.accounts,
    Key: { accountId: 'acct-1' },
    UpdateExpression: 'ADD balance :amount',
    ExpressionAttributeValues: { ':amount': 500 },
  },
};

const aMessage = { id: 'bazaar#evt_1#1', topic: 'receipt.requested', payload: '{"amount":500}', group: undefined };
const error = { name: 'Error', message: 'boom' };
const FAILED_ONCE = { attempts: 1, failures: 1 };

describe.each(dynamoStages)('InboxStore contract: %s', (_name, makeStage) => {
  const make = async (): Promise<{ stage: DynamoStage; store: InboxStore }> => {
    const stage = await makeStage();
    return { stage, store: createInboxStore(stage.client, TABLES) };
  };

  describe('claim', () => {
    it('lets exactly one of twenty concurrent claims win, and shows the others its row', async () => {
      const { store } = await make();

      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => store.putClaim(wanted(`token-${n}`))));

      const written = answers.filter((answer) => answer.kind === 'written');
      expect(written).toHaveLength(1);
      expect(answers.filter((answer) => answer.kind === 'exists')).toHaveLength(19);
      const winner = written[0]?.kind === 'written' ? written[0].row.claimToken : '';
      expect(answers.every((answer) => 'row' in answer && answer.row.claimToken === winner)).toBe(true);
    });

    it('stores a claim with its lease in milliseconds and its expiry in whole seconds', async () => {
      const { stage, store } = await make();

      await store.putClaim(wanted('token-1'));

      expect(await stage.rawItems('inbox')).toEqual([
        {
          id: { S: 'bazaar#evt_1' },
          v: { N: '1' },
          source: { S: 'bazaar' },
          eventId: { S: 'evt_1' },
          type: { S: 'slip.credited' },
          status: { S: 'claimed' },
          receivedAt: { S: '2026-12-01T00:00:00.000Z' },
          claimToken: { S: 'token-1' },
          leaseUntilMs: { N: String(LEASE) },
          attempts: { N: '1' },
          failures: { N: '0' },
          bodyHash: { S: anEvent().bodyHash },
          steps: { M: {} },
          expiresAt: { N: String(EXPIRES) },
        },
      ]);
    });

    it('leaves the expiry out when the window is forever', async () => {
      const { stage, store } = await make();

      await store.putClaim(wanted('token-1', { expiresAt: undefined }));

      expect((await stage.items('inbox'))[0]).not.toHaveProperty('expiresAt');
    });

    it('says that somebody is committing when a transaction holds the row', async () => {
      const { stage, store } = await make();
      stage.intercept(() => ({ before: sdkError('TransactionConflictException') }));

      expect(await store.putClaim(wanted('token-1'))).toEqual({ kind: 'committing' });
    });

    it('reads the row when a refusal comes without it', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      stage.intercept(({ name }) =>
        name === 'PutItemCommand' ? { before: sdkError('ConditionalCheckFailedException') } : undefined,
      );

      const answer = await store.putClaim(wanted('token-2'));

      expect(answer).toMatchObject({ kind: 'exists', row: { claimToken: 'token-1' } });
    });
  });

  describe('take over', () => {
    it('lets exactly one of many take a lapsed claim', async () => {
      const { store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('dead')));

      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => store.takeOver(wanted(`token-${n}`), seen, { attempts: 2, failures: 0 })),
      );

      expect(answers.filter((answer) => answer.kind === 'written')).toHaveLength(1);
      expect(answers.filter((answer) => answer.kind === 'exists')).toHaveLength(9);
    });

    it('is refused when the holder committed in the meantime', async () => {
      const { store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('holder')));
      await store.prepareCommit(request('holder'))();

      const answer = await store.takeOver(wanted('late'), seen, { attempts: 2, failures: 0 });

      expect(answer).toMatchObject({ kind: 'exists', row: { status: 'processed', claimToken: 'holder' } });
    });

    it('is refused when the row was released and claimed anew under the same status', async () => {
      const { store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('first')));
      await store.takeOver(wanted('second'), seen, { attempts: 2, failures: 0 });

      const answer = await store.takeOver(wanted('third'), seen, { attempts: 2, failures: 0 });

      expect(answer).toMatchObject({ kind: 'exists', row: { claimToken: 'second' } });
    });

    it('keeps the first receipt and the finished steps', async () => {
      const { store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('first')));
      await store.recordStep(heldBy('first'), 'mail', stepOf({ id: 7 }, '2026-12-01T00:00:01.000Z'));

      const later = wanted('second', { event: anEvent({ receivedAt: plus(T0, 60_000) }) });
      const answer = await store.takeOver(later, seen, { attempts: 2, failures: 0 });

      expect(answer).toMatchObject({
        kind: 'written',
        row: { receivedAt: T0, attempts: 2, steps: { mail: { value: { id: 7 } } } },
      });
    });

    it('reports a row that is gone', async () => {
      const { store } = await make();
      const seen = await rowOf(await (await make()).store.putClaim(wanted('elsewhere')));

      expect(await store.takeOver(wanted('token-2'), seen, { attempts: 2, failures: 0 })).toEqual({ kind: 'gone' });
    });
  });

  describe('replacing a finished row whose window has passed', () => {
    it('succeeds once for one finished row', async () => {
      const { store } = await make();
      await store.putClaim(wanted('old'));
      await store.prepareCommit(request('old'))();
      const seen = await store.read('bazaar#evt_1');
      if (seen === undefined) throw new Error('no row');

      const first = await store.replaceForgotten(wanted('new-1'), seen);
      const second = await store.replaceForgotten(wanted('new-2'), seen);

      expect(first).toMatchObject({ kind: 'written', row: { claimToken: 'new-1', attempts: 1 } });
      expect(second).toMatchObject({ kind: 'exists', row: { claimToken: 'new-1' } });
    });

    it('is refused when the memory was renewed since it was seen', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('old'));
      await store.prepareCommit(request('old'))();
      const seen = await store.read('bazaar#evt_1');
      const [row] = await stage.items('inbox');
      if (seen === undefined || row === undefined) throw new Error('no row');
      await stage.put('inbox', { ...row, expiresAt: EXPIRES + 1 });

      expect(await store.replaceForgotten(wanted('new'), seen)).toMatchObject({ kind: 'exists' });
    });
  });

  describe('commit', () => {
    it('writes the domain, the outbox and the mark together', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));

      const answer = await store.prepareCommit(
        request('token-1', { writes: [creditWrite], messages: [aMessage], result: { ok: true } }),
      )();

      expect(answer).toEqual({ kind: 'committed' });
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500 }]);
      expect(await stage.items('outbox')).toEqual([
        {
          id: 'bazaar#evt_1#1',
          topic: 'receipt.requested',
          payload: '{"amount":500}',
          createdAtMs: T0 + 50,
          dueAtMs: T0 + 50,
          state: 'new',
          attempts: 0,
        },
      ]);
      const [row] = await stage.items('inbox');
      expect(row).toMatchObject({
        status: 'processed',
        processedAt: '2026-12-01T00:00:00.050Z',
        claimToken: 'token-1',
        result: { ok: true },
        expiresAt: EXPIRES,
      });
      for (const gone of ['leaseUntilMs', 'steps', 'lastError', 'attention']) expect(row).not.toHaveProperty(gone);
    });

    it.each([
      ['the claim was taken over', 'thief'],
      ['the claim was given back', undefined],
    ])('changes nothing when %s', async (_reason, thief) => {
      const { stage, store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('zombie')));
      if (thief === undefined) await store.release(heldBy('zombie'), T0, error, FAILED_ONCE);
      else await store.takeOver(wanted(thief), seen, { attempts: 2, failures: 0 });

      const alone = await store.prepareCommit(request('zombie'))();
      const withWrites = await store.prepareCommit(
        request('zombie', { writes: [creditWrite], messages: [aMessage] }),
      )();

      expect([alone, withWrites]).toEqual([{ kind: 'claim-lost' }, { kind: 'claim-lost' }]);
      expect(await stage.items('accounts')).toEqual([]);
      expect(await stage.items('outbox')).toEqual([]);
    });

    it('is a duplicate when another worker finished the event', async () => {
      const { stage, store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('zombie')));
      await store.takeOver(wanted('thief'), seen, { attempts: 2, failures: 0 });
      await store.prepareCommit(request('thief', { writes: [creditWrite] }))();

      const answers = [
        await store.prepareCommit(request('zombie', { writes: [creditWrite] }))(),
        await store.prepareCommit(request('zombie'))(),
      ];

      expect(answers).toEqual([{ kind: 'duplicate' }, { kind: 'duplicate' }]);
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 500 }]);
    });

    it.each([
      ['alone', []],
      ['with writes', [creditWrite]],
    ])('knows its own work when the answer was lost: %s', async (_case, writes) => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      const send = store.prepareCommit(request('token-1', { writes }));
      stage.intercept(() => ({ after: lostAnswer() }));
      const first = await send();
      stage.intercept(undefined);

      const second = await send();

      expect(first).toMatchObject({ kind: 'unknown' });
      expect(second).toEqual({ kind: 'committed' });
      expect(await stage.items('accounts')).toEqual(writes.length === 0 ? [] : [{ accountId: 'acct-1', balance: 500 }]);
    });

    it('knows its own work when DynamoDB has forgotten the client token', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      await store.prepareCommit(request('token-1', { writes: [creditWrite] }))();

      // A second transaction of the same claim with another content cannot be taken for the first by its token.
      const [row] = await stage.rawItems('inbox');
      const cancelled = sdkError('TransactionCanceledException', {
        CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: row }, { Code: 'None' }],
      });
      stage.intercept(() => ({ before: cancelled }));

      expect(await store.prepareCommit(request('token-1', { writes: [creditWrite] }))()).toEqual({ kind: 'committed' });
    });

    it.each([
      ['the transaction', [creditWrite]],
      ['the plain update', []],
    ])('reads the row when the refusal of %s comes without it', async (_case, writes) => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      const send = store.prepareCommit(request('token-1', { writes }));
      await send();
      stage.intercept(({ name }) => {
        if (name === 'GetItemCommand') return undefined;
        const reasons = { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }] };
        const refusal =
          name === 'UpdateItemCommand' ? 'ConditionalCheckFailedException' : 'TransactionCanceledException';
        return { before: sdkError(refusal, reasons) };
      });

      expect(await send()).toEqual({ kind: 'committed' });
    });

    it('sends the same bytes at every repetition', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      const send = store.prepareCommit(request('token-1', { writes: [creditWrite], messages: [aMessage] }));

      await send();
      await send();

      const [first, second] = stage.calls.filter((call) => call.name === 'TransactWriteItemsCommand');
      expect(second?.input).toEqual(first?.input);
      expect(first?.input).toMatchObject({ ClientRequestToken: 'token-1' });
    });

    it("returns the handler's own condition that failed, with table, key and item", async () => {
      const { stage, store } = await make();
      await stage.put('accounts', { accountId: 'acct-1', balance: 7 });
      await store.putClaim(wanted('token-1'));
      const write = {
        Update: {
          ...creditWrite.Update,
          ConditionExpression: 'attribute_not_exists(accountId)',
        },
      };

      const answer = await store.prepareCommit(request('token-1', { writes: [write], messages: [aMessage] }))();

      expect(answer).toEqual({
        kind: 'condition-failed',
        refused: { table: 'accounts', key: { accountId: 'acct-1' }, item: { accountId: 'acct-1', balance: 7 } },
      });
      expect(await stage.items('outbox')).toEqual([]);
    });

    it.each([
      [
        'Put',
        {
          Put: {
            TableName: 'accounts',
            Item: { accountId: 'acct-1' },
            ConditionExpression: 'attribute_not_exists(accountId)',
          },
        },
      ],
      [
        'Delete',
        {
          Delete: {
            TableName: 'accounts',
            Key: { accountId: 'acct-1' },
            ConditionExpression: 'balance > :n',
            ExpressionAttributeValues: { ':n': 9 },
          },
        },
      ],
      [
        'ConditionCheck',
        {
          ConditionCheck: {
            TableName: 'accounts',
            Key: { accountId: 'acct-1' },
            ConditionExpression: 'attribute_not_exists(accountId)',
          },
        },
      ],
    ])('returns the old item for a failed condition on a %s', async (_operation, write) => {
      const { stage, store } = await make();
      await stage.put('accounts', { accountId: 'acct-1', balance: 7 });
      await store.putClaim(wanted('token-1'));

      const answer = await store.prepareCommit(request('token-1', { writes: [write] }))();

      expect(answer).toMatchObject({ kind: 'condition-failed', refused: { item: { balance: 7 } } });
    });

    it.each([
      [
        'a conflict',
        sdkError('TransactionCanceledException', {
          CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
        }),
        { kind: 'busy', reason: 'conflict' },
      ],
      [
        'throttling of an item',
        sdkError('TransactionCanceledException', {
          CancellationReasons: [{ Code: 'ThrottlingError' }, { Code: 'None' }],
        }),
        { kind: 'busy', reason: 'throttled' },
      ],
      ['throttling of the request', sdkError('ThrottlingException'), { kind: 'busy', reason: 'throttled' }],
      ['a cancellation without reasons', sdkError('TransactionCanceledException'), { kind: 'unknown' }],
      ['a transaction in progress', sdkError('TransactionInProgressException'), { kind: 'unknown' }],
      ['a token mismatch', sdkError('IdempotentParameterMismatchException'), { kind: 'unknown' }],
      ['a stale request signature', sdkError('InvalidSignatureException'), { kind: 'unknown' }],
      [
        'an invalid item',
        sdkError('TransactionCanceledException', {
          CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError', Message: 'too big' }],
        }),
        { kind: 'invalid', message: 'too big' },
      ],
    ])('reads %s', async (_case, thrown, expected) => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      stage.intercept(() => ({ before: thrown }));

      expect(await store.prepareCommit(request('token-1', { writes: [creditWrite] }))()).toMatchObject(expected);
    });

    it('is refused by DynamoDB for two operations on one item, and nothing is written', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));

      const answer = await store.prepareCommit(request('token-1', { writes: [creditWrite, creditWrite] }))();

      expect(answer).toMatchObject({ kind: 'invalid' });
      expect(await stage.items('accounts')).toEqual([]);
    });

    it.each(['AccessDeniedException', 'ResourceNotFoundException'])('blames the deployment for %s', async (name) => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      stage.intercept(() => ({ before: sdkError(name) }));

      await expect(store.prepareCommit(request('token-1', { writes: [creditWrite] }))()).rejects.toMatchObject({
        code: 'STORE_MISCONFIGURED',
      });
    });

    it('takes 98 writes and one message beside the inbox row, and DynamoDB refuses one more', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      const writes = (count: number) =>
        Array.from({ length: count }, (_, n) => ({
          Put: { TableName: TABLES.accounts, Item: { accountId: `a${n}` } },
        }));

      const oneTooMany = await store.prepareCommit(request('token-1', { writes: writes(99), messages: [aMessage] }))();
      const full = await store.prepareCommit(request('token-1', { writes: writes(98), messages: [aMessage] }))();

      expect(oneTooMany).toMatchObject({ kind: 'invalid' });
      expect(full).toEqual({ kind: 'committed' });
      expect(await stage.items('accounts')).toHaveLength(98);
    });
  });

  describe('order', () => {
    const commitInOrder = async (
      store: InboxStore,
      eventId: string,
      sequence: string,
      tie: 'drop' | 'apply' = 'drop',
    ) => {
      const event = anEvent({ eventId });
      await store.putClaim(wanted(`token-${eventId}`, { event }));
      const order = { resource: 'acct-1', sequence, tie };
      return store.prepareCommit(
        request(`token-${eventId}`, { claim: heldBy(`token-${eventId}`, { event }), order, writes: [creditWrite] }),
      )();
    };

    it('applies rising sequences and drops an older one and its writes', async () => {
      const { stage, store } = await make();

      const answers = [
        await commitInOrder(store, 'e1', '9'),
        await commitInOrder(store, 'e2', '10'),
        await commitInOrder(store, 'e3', '4'),
      ];

      expect(answers.map((answer) => answer.kind)).toEqual(['committed', 'committed', 'superseded']);
      expect(await stage.items('sequences')).toEqual([{ resource: 'bazaar#acct-1', lastSequence: 10, eventId: 'e2' }]);
      expect(await stage.items('accounts')).toEqual([{ accountId: 'acct-1', balance: 1000 }]);
    });

    it.each([
      ['drop', 'superseded'],
      ['apply', 'committed'],
    ] as const)('answers an equal sequence of another event by the tie rule: %s', async (tie, expected) => {
      const { store } = await make();
      await commitInOrder(store, 'e1', '7', tie);

      expect((await commitInOrder(store, 'e2', '7', tie)).kind).toBe(expected);
    });

    it('never supersedes an event by itself', async () => {
      const { stage, store } = await make();
      await commitInOrder(store, 'e1', '7');
      const [row] = await stage.items('inbox');
      await stage.put('inbox', { ...row, status: 'claimed', claimToken: 'replay' });

      const answer = await store.prepareCommit(
        request('replay', {
          claim: heldBy('replay', { event: anEvent({ eventId: 'e1' }) }),
          order: { resource: 'acct-1', sequence: '7', tie: 'drop' },
        }),
      )();

      expect(answer).toEqual({ kind: 'committed' });
    });

    it('compares 38 digits exactly', async () => {
      const { store } = await make();
      const large = '9'.repeat(37);

      expect((await commitInOrder(store, 'e1', `${large}8`)).kind).toBe('committed');
      expect((await commitInOrder(store, 'e2', `${large}7`)).kind).toBe('superseded');
      expect((await commitInOrder(store, 'e3', `${large}9`)).kind).toBe('committed');
    });

    it('marks a superseded event for the holder of the claim alone', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));

      const stranger = await store.supersede(heldBy('stranger'), T0, EXPIRES);
      const holder = await store.supersede(heldBy('token-1'), T0, EXPIRES);
      const again = await store.supersede(heldBy('token-1'), T0, EXPIRES);

      expect([stranger, holder, again]).toEqual(['claim-lost', 'written', 'written']);
      expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'superseded', expiresAt: EXPIRES });
    });
  });

  describe('release', () => {
    it('keeps the row, counts the failure and removes the expiry', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));

      const answer = await store.release(heldBy('token-1'), plus(T0, 99), error, FAILED_ONCE);

      expect(answer).toBe('written');
      const [row] = await stage.items('inbox');
      expect(row).toMatchObject({
        status: 'failed',
        attempts: 1,
        failures: 1,
        lastError: { name: 'Error', message: 'boom', at: '2026-12-01T00:00:00.099Z' },
        attention: expect.stringMatching(/^failed#[0-7]$/),
      });
      expect(row).not.toHaveProperty('expiresAt');
      expect(row).not.toHaveProperty('leaseUntilMs');
    });

    it('does nothing to a claim that somebody else holds', async () => {
      const { stage, store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('zombie')));
      await store.takeOver(wanted('thief'), seen, { attempts: 2, failures: 0 });

      expect(await store.release(heldBy('zombie'), T0, error, FAILED_ONCE)).toBe('claim-lost');
      expect((await stage.items('inbox'))[0]).toMatchObject({ status: 'claimed', claimToken: 'thief', failures: 0 });
    });

    it('finds out that the commit had gone through after all', async () => {
      const { store } = await make();
      await store.putClaim(wanted('token-1'));
      await store.prepareCommit(request('token-1', { writes: [creditWrite] }))();

      expect(await store.release(heldBy('token-1'), T0, error, FAILED_ONCE)).toBe('committed');
    });

    it('fences a commit that arrives after it', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      const send = store.prepareCommit(request('token-1', { writes: [creditWrite] }));
      await store.release(heldBy('token-1'), T0, error, FAILED_ONCE);

      expect(await send()).toEqual({ kind: 'claim-lost' });
      expect(await stage.items('accounts')).toEqual([]);
    });

    it('knows its own release when the answer was lost, and counts the failure once', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      stage.intercept(() => ({ after: lostAnswer() }));
      await expect(store.release(heldBy('token-1'), T0, error, FAILED_ONCE)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
      stage.intercept(undefined);

      expect(await store.release(heldBy('token-1'), T0, error, FAILED_ONCE)).toBe('written');
      expect((await stage.items('inbox'))[0]).toMatchObject({ failures: 1 });
    });
  });

  describe('park', () => {
    it('keeps the row for an operator, without an expiry', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));

      const answer = await store.park(heldBy('token-1'), plus(T0, 99), error, { attempts: 5, failures: 4 });

      expect(answer).toBe('written');
      const [row] = await stage.items('inbox');
      expect(row).toMatchObject({
        status: 'parked',
        attempts: 5,
        failures: 4,
        lastError: { name: 'Error', message: 'boom', at: '2026-12-01T00:00:00.099Z' },
        attention: expect.stringMatching(/^parked#[0-7]$/),
      });
      expect(row).not.toHaveProperty('expiresAt');
      expect(row).not.toHaveProperty('leaseUntilMs');
    });

    it('does nothing to a claim that somebody else holds, and sees its own commit', async () => {
      const { store } = await make();
      const seen = await rowOf(await store.putClaim(wanted('zombie')));
      await store.takeOver(wanted('thief'), seen, { attempts: 2, failures: 0 });
      const stranger = await store.park(heldBy('zombie'), T0, error, FAILED_ONCE);
      await store.prepareCommit(request('thief', { writes: [creditWrite] }))();

      expect([stranger, await store.park(heldBy('thief'), T0, error, FAILED_ONCE)]).toEqual([
        'claim-lost',
        'committed',
      ]);
    });

    it('knows its own parking when the answer was lost', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      stage.intercept(() => ({ after: lostAnswer() }));
      await expect(store.park(heldBy('token-1'), T0, error, FAILED_ONCE)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
      stage.intercept(undefined);

      expect(await store.park(heldBy('token-1'), T0, error, FAILED_ONCE)).toBe('written');
    });
  });

  describe('steps', () => {
    it('records a step for the holder of the claim alone', async () => {
      const { store } = await make();
      await store.putClaim(wanted('token-1'));

      const stranger = await store.recordStep(heldBy('stranger'), 'mail', stepOf(1, 'now'));
      const holder = await store.recordStep(heldBy('token-1'), 'mail', stepOf(2, 'now'));

      expect([stranger, holder]).toEqual(['claim-lost', 'written']);
      expect((await store.read('bazaar#evt_1'))?.steps).toEqual({ mail: { value: 2, finishedAt: 'now' } });
    });

    it('records nothing once the claim was given back', async () => {
      const { store } = await make();
      await store.putClaim(wanted('token-1'));
      await store.release(heldBy('token-1'), T0, error, FAILED_ONCE);

      expect(await store.recordStep(heldBy('token-1'), 'mail', stepOf(undefined, 'now'))).toBe('claim-lost');
    });
  });

  describe('rows', () => {
    it('refuses to guess about an unknown schema version', async () => {
      const { stage, store } = await make();
      await store.putClaim(wanted('token-1'));
      const [row] = await stage.items('inbox');
      await stage.put('inbox', { ...row, v: 2 });

      await expect(store.putClaim(wanted('token-2'))).rejects.toMatchObject({ code: 'ROW_UNREADABLE' });
      await expect(store.read('bazaar#evt_1')).rejects.toMatchObject({ code: 'ROW_UNREADABLE' });
    });

    it('keeps a finished row with the longest event id under one kilobyte', async () => {
      const { stage, store } = await make();
      const event = anEvent({ source: 's'.repeat(40), eventId: 'e'.repeat(256), types: ['t'.repeat(300)] });
      const longToken = '00000000-0000-4000-8000-000000000000';
      await store.putClaim(wanted(longToken, { event }));
      await store.prepareCommit(
        request(longToken, { claim: heldBy(longToken, { event }), expiresAt: days(1) as never }),
      )();

      const [row] = await stage.rawItems('inbox');
      const bytes = Object.entries(row ?? {}).reduce(
        (sum, [name, value]) => sum + name.length + (value.S?.length ?? 21),
        0,
      );

      expect(bytes).toBeLessThanOrEqual(1024);
    });
  });
});

function rowOf(answer: Awaited<ReturnType<InboxStore['putClaim']>>) {
  if (answer.kind !== 'written') throw new Error(`not written: ${answer.kind}`);
  return answer.row;
}
