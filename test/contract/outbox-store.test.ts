import { describe, expect, it } from 'vitest';
import { createOutboxStore } from '../../lambda/adapters/dynamodb/outbox-store.ts';
import { plus } from '../../lambda/core/time.ts';
import { dynamoStages, TABLES } from '../support/dynamodb-stage.ts';
import { T0 } from '../support/manual-clock.ts';
import { aMessage, rowOf } from '../support/outbox.ts';
import { lostAnswer } from '../support/protocol.ts';

const next = { state: 'retry', attempts: 1, dueAt: plus(T0, 5000) } as const;

describe.each(dynamoStages)('OutboxStore contract: %s', (_name, makeStage) => {
  const make = async () => {
    const stage = await makeStage();
    return { stage, store: createOutboxStore(stage.client, TABLES.outbox) };
  };
  const idsOf = async (store: ReturnType<typeof createOutboxStore>): Promise<readonly string[]> => {
    const ids: string[] = [];
    for await (const page of store.pages())
      ids.push(...page.map((row) => (row.kind === 'owed' ? row.message.id : row.id)));
    return ids;
  };

  it('removes a message that was sent', async () => {
    const { stage, store } = await make();
    await stage.put('outbox', rowOf(aMessage()));

    await store.remove(aMessage());

    expect(await stage.items('outbox')).toEqual([]);
  });

  it('does not remove or put off a row that was written anew', async () => {
    const { stage, store } = await make();
    const anew = rowOf(aMessage({ createdAt: plus(T0, 1) }));
    await stage.put('outbox', anew);

    await store.remove(aMessage());
    await store.postpone(aMessage(), next);

    expect(await stage.items('outbox')).toEqual([anew]);
  });

  it('makes no row of one that is gone', async () => {
    const { stage, store } = await make();

    await store.remove(aMessage());
    await store.postpone(aMessage(), next);
    await store.setAside('s#gone#1');

    expect(await stage.items('outbox')).toEqual([]);
  });

  it('notes a failed sending and keeps the message as it is', async () => {
    const { stage, store } = await make();
    await stage.put('outbox', rowOf(aMessage({ group: 'g' })));

    await store.postpone(aMessage({ group: 'g' }), next);

    expect(await stage.items('outbox')).toEqual([rowOf(aMessage({ group: 'g', ...next }))]);
  });

  it('reads page after page until nothing is left', async () => {
    const { stage, store } = await make();
    // Six rows of 300 KB are more than the megabyte that one page holds.
    for (let n = 0; n < 6; n += 1)
      await stage.put('outbox', rowOf(aMessage({ id: `s#e${n}#1`, payload: 'x'.repeat(300_000) })));

    expect((await idsOf(store)).toSorted()).toEqual(Array.from({ length: 6 }, (_, n) => `s#e${n}#1`));
  });

  it('says so when DynamoDB does not answer', async () => {
    const { stage, store } = await make();
    stage.intercept(() => ({ before: lostAnswer() }));

    await expect(store.remove(aMessage())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(idsOf(store)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
