import { describe, expect, it } from 'vitest';
import type { OwedMessage } from '../../../lambda/core/owed-message.ts';
import { plus, seconds } from '../../../lambda/core/time.ts';
import { sweep } from '../../../lambda/sweep/sweep.ts';
import { createMemoryStage } from '../../support/dynamodb-stage.ts';
import { T0 } from '../../support/manual-clock.ts';
import { aMessage, createOutbox, rowOf } from '../../support/outbox.ts';
import { lostAnswer } from '../../support/protocol.ts';

const make = async (messages: readonly OwedMessage[]) => {
  const stage = await createMemoryStage();
  for (const message of messages) await stage.put('outbox', rowOf(message));
  const outbox = createOutbox(stage);
  return { stage, ...outbox, deps: { ...outbox.deps, after: seconds(120) } };
};
const whole = (now: number) => ({ endsAt: plus(T0, now + 50_000) });

describe('a sweep', () => {
  it.each([
    [119_999, 0],
    [120_000, 1],
  ])('%d ms after the commit sends %d messages', async (age, sent) => {
    const { deps, clock, ids, told } = await make([aMessage()]);
    clock.advance(age);

    await sweep(deps, whole(age));

    expect(ids()).toHaveLength(sent);
    expect(told).toContainEqual({ oldest: age, stuck: 0 });
  });

  it('delivers everything with the stream switched off for a day and an hour', async () => {
    const messages = Array.from({ length: 100 }, (_, n) => aMessage({ id: `s#e${n}#1` }));
    const { stage, deps, clock, ids } = await make(messages);
    clock.advance(25 * 3_600_000);

    expect(await sweep(deps, whole(25 * 3_600_000))).toEqual({ due: 100, complete: true });
    expect(new Set(ids()).size).toBe(100);
    expect(await stage.items('outbox')).toEqual([]);
  });

  it('comes past a message that cannot be sent', async () => {
    const { stage, deps, clock, controls, ids } = await make([
      aMessage({ id: 's#bad#1' }),
      aMessage({ id: 's#good#1' }),
    ]);
    clock.advance(130_000);
    const accept = controls.answer;
    controls.answer = (batch) => {
      const answer = accept(batch);
      if (answer instanceof Error) return answer;
      const bad = batch.Entries?.findIndex(
        ({ MessageAttributes }) => MessageAttributes?.['id']?.StringValue === 's#bad#1',
      );
      return { Successful: (answer.Successful ?? []).filter(({ Id }) => Id !== String(bad)) };
    };

    await sweep(deps, whole(130_000));
    await sweep(deps, whole(130_000));

    expect(ids().filter((id) => id === 's#bad#1')).toHaveLength(1);
    expect(await stage.items('outbox')).toMatchObject([{ id: 's#bad#1', state: 'retry' }]);
  });

  it('leaves a stuck message alone and counts it', async () => {
    const { deps, clock, ids, told } = await make([aMessage({ state: 'stuck' })]);
    clock.advance(1e9);

    await sweep(deps, whole(1e9));

    expect(ids()).toEqual([]);
    expect(told).toEqual([{ oldest: 0, stuck: 1 }]);
  });

  it('sets a row aside that nobody can read, once', async () => {
    const { stage, deps, told } = await make([]);
    await stage.put('outbox', { id: 's#odd#1', state: 'new', topic: 't' });

    await sweep(deps, whole(0));
    await sweep(deps, whole(0));

    expect(await stage.items('outbox')).toEqual([{ id: 's#odd#1', state: 'stuck', topic: 't' }]);
    expect(told.filter((line) => JSON.stringify(line).includes('cannot be read'))).toHaveLength(1);
    expect(told.at(-1)).toEqual({ oldest: 0, stuck: 1 });
  });

  it('ends in time, and says that there was more', async () => {
    const { deps } = await make([aMessage()]);

    expect(await sweep(deps, { endsAt: plus(T0, 4999) })).toMatchObject({ complete: false });
  });

  it('fails loudly when the outbox cannot be read', async () => {
    const { stage, deps } = await make([aMessage()]);
    stage.intercept(() => ({ before: lostAnswer() }));

    await expect(sweep(deps, whole(0))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
