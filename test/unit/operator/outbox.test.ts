import { beforeEach, describe, expect, it } from 'vitest';
import { createOutboxStore } from '../../../lambda/adapters/dynamodb/outbox-store.ts';
import type { OwedMessage } from '../../../lambda/core/owed-message.ts';
import { hours, plus, seconds } from '../../../lambda/core/time.ts';
import { sweep } from '../../../lambda/sweep/sweep.ts';
import { TABLES } from '../../support/dynamodb-stage.ts';
import { T0 } from '../../support/manual-clock.ts';
import { aMessage, rowOf } from '../../support/outbox.ts';
import { anOperatorOfADeployment } from './a-deployment.ts';

let scene: Awaited<ReturnType<typeof anOperatorOfADeployment>>;
beforeEach(async () => {
  scene = await anOperatorOfADeployment();
});

const owe = (changes: Partial<OwedMessage>) => scene.stage.put('outbox', rowOf(aMessage(changes)));
const stuck = (n: number, changes: Partial<OwedMessage> = {}) =>
  owe({ id: `stripe#evt_${n}#1`, state: 'stuck', attempts: 20, dueAt: plus(T0, hours(15)), ...changes });
const rows = async () => new Map((await scene.stage.items('outbox')).map((row) => [row['id'], row]));
const run = async (...args: readonly string[]) => {
  const operator = scene.operate();
  const code = await operator.run('outbox', ...args);
  return { code, ...operator, json: () => operator.printed.map((line) => JSON.parse(line)) };
};

describe('pending messages', () => {
  it('are listed with their state and without their payload', async () => {
    await owe({ id: 'stripe#evt_1#1', payload: '{"private":1}' });
    await stuck(2);

    const { code, json, printed, noted } = await run('pending', '--json');

    expect(code).toBe(0);
    expect(
      json()
        .map(({ id, state, attempts }) => [id, state, attempts])
        .sort(),
    ).toEqual([
      ['stripe#evt_1#1', 'new', 0],
      ['stripe#evt_2#1', 'stuck', 20],
    ]);
    expect(printed.join()).not.toContain('private');
    expect(noted[1]).toMatch(/^a scan reads all of the outbox: about /);
  });

  it('are listed by state, and rows that nobody can read with why', async () => {
    await owe({ id: 'stripe#evt_1#1' });
    await stuck(2);
    await scene.stage.put('outbox', { id: 'odd', state: 'stuck' });

    const { printed } = await run('pending', '--state', 'stuck');

    expect(printed.slice(1).sort()).toEqual([
      'stuck          20  2026-12-01T00:00:00.000Z  stripe#evt_2#1 (receipt.requested)',
      'unreadable  odd: the row has no whole number in createdAtMs',
    ]);
  });
});

describe('redriving stuck messages', () => {
  it('makes them due since their commit, with no failed sending, and leaves all others', async () => {
    await stuck(1);
    await owe({ id: 'stripe#evt_2#1', state: 'retry', attempts: 3 });

    const { code, printed } = await run('redrive', '--all');

    expect([code, printed]).toEqual([0, ['stripe#evt_1#1  due again']]);
    const after = await rows();
    expect(after.get('stripe#evt_1#1')).toMatchObject({ state: 'retry', attempts: 0, dueAtMs: T0, createdAtMs: T0 });
    expect(after.get('stripe#evt_2#1')).toMatchObject({ state: 'retry', attempts: 3 });
  });

  it('lets the next sweep send them', async () => {
    await stuck(1);
    scene.clock.advance(hours(24));
    await run('redrive', '--id', 'stripe#evt_1#1');
    const sent: string[] = [];

    await sweep(
      {
        store: createOutboxStore(scene.stage.client, TABLES.outbox),
        queue: {
          sizeOf: () => 100,
          async send(messages) {
            sent.push(...messages.map(({ id }) => id));
            return messages.map(() => ({ kind: 'sent' as const }));
          },
        },
        clock: scene.clock,
        telemetry: { messageSent() {}, messageNotSent() {}, swept() {}, warn() {} },
        after: seconds(120),
      },
      { endsAt: plus(scene.clock.now(), hours(1)) },
    );

    expect(sent).toEqual(['stripe#evt_1#1']);
    expect(await rows()).toEqual(new Map());
  });

  it('leaves a row that is another one by now', async () => {
    await stuck(1);
    scene.stage.intercept(({ name }) => {
      if (name !== 'UpdateItemCommand') return undefined;
      scene.stage.intercept(undefined);
      return { wait: stuck(1, { createdAt: plus(T0, 1), attempts: 7 }) };
    });

    const { code, noted } = await run('redrive', '--all');

    expect([code, noted.at(-1)]).toEqual([2, '0 due again, 1 left as they are']);
    expect((await rows()).get('stripe#evt_1#1')).toMatchObject({ state: 'stuck', attempts: 7 });
  });

  it('leaves a row that nobody can read', async () => {
    await scene.stage.put('outbox', { id: 'odd', state: 'stuck' });

    expect((await run('redrive', '--all')).code).toBe(2);
    expect((await rows()).get('odd')).toEqual({ id: 'odd', state: 'stuck' });
  });

  it('ends between two rows on Ctrl-C', async () => {
    for (let n = 0; n < 5; n += 1) await stuck(n);
    const operator = scene.operate();
    scene.stage.intercept(({ name }) => {
      if (name === 'UpdateItemCommand') operator.interruption.abort();
      return undefined;
    });

    const code = await operator.run('outbox', 'redrive', '--all');

    expect([code, operator.noted.at(-1)]).toEqual([2, '1 due again, interrupted: the rest is as it was']);
  });

  it.each([
    ['one that is not owed', ['--id', 'stripe#evt_9#1'], /no such message is owed/],
    ['one that is not stuck', ['--id', 'stripe#evt_1#1'], /it is not stuck: its state is new/],
    ['none', [], /say which/],
    ['two kinds at once', ['--id', 'stripe#evt_1#1', '--all'], /say which/],
  ])('is refused for %s', async (_what, args, message) => {
    await owe({ id: 'stripe#evt_1#1' });
    const before = await rows();

    const { code, noted } = await run('redrive', ...args);

    expect([code, noted.at(-1)]).toEqual([1, expect.stringMatching(message)]);
    expect(await rows()).toEqual(before);
  });
});
