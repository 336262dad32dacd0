import { describe, expect, it } from 'vitest';
import { createChance } from '../../../demo/chance.ts';
import { CRASH_ROWS } from '../../../demo/crash-rows.ts';
import { hasFailingConsumer } from '../../../demo/failing-consumer.ts';
import { ALWAYS, fullSize, LEAST_EVENTS, planRun } from '../../../demo/plan.ts';
import { planBlows } from '../../../demo/storm.ts';
import { outboxId } from '../../../lambda/core/inbox-key.ts';

describe('the plan of a proof run', () => {
  const plan = planRun(createChance('seed'), fullSize(LEAST_EVENTS));
  const { events } = plan;

  it('is the same for the same seed and another for another', () => {
    expect(planRun(createChance('seed'), fullSize(LEAST_EVENTS))).toEqual(plan);
    expect(planRun(createChance('other'), fullSize(LEAST_EVENTS))).not.toEqual(plan);
  });

  it('has more than ten crashes for each row, and an event for each that can have it', () => {
    for (const row of CRASH_ROWS) expect(events.filter(({ crash }) => crash === row).length).toBeGreaterThan(10);
    const sourcesOf = (word: string) =>
      new Set(events.filter(({ crash }) => crash?.includes(word)).map(({ source }) => source));
    expect(sourcesOf('step')).toEqual(new Set(['bazaar']));
    expect(sourcesOf('before queueing')).toEqual(new Set(['bazaar']));
    expect(events.filter(({ crash }) => crash === 'before the response').map(({ source }) => source)).not.toContain(
      'github',
    );
    expect(events.filter(({ crash }) => crash?.includes('release')).every(({ failures }) => failures === 1)).toBe(true);
  });

  it('sends every event one to six times, from three sources', () => {
    const copies = Map.groupBy(plan.deliveries, ({ id }) => id);

    expect(copies.size).toBe(LEAST_EVENTS);
    expect(new Set([...copies.values()].map((list) => list.length))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(new Set(events.map(({ source }) => source)).size).toBe(3);
  });

  it('has handlers that fail once, twice, three times and always', () => {
    expect(new Set(events.map(({ failures }) => failures))).toEqual(new Set([0, 1, 2, 3, ALWAYS]));
  });

  it('has events that the queue refuses more often than their provider sends them by itself', () => {
    const refused = events.filter(({ refusals }) => refusals > 0);

    expect(refused).toHaveLength(8);
    // Twice a delivery: the SDK sends once more what was answered with an error.
    expect(refused.every(({ source, refusals, copies }) => source === 'github' && refusals > 2 * copies)).toBe(true);
  });

  it('names the events whose consumer fails', () => {
    const failing = events.filter(({ source, id }) => hasFailingConsumer(outboxId(`${source}#${id}`, 1)));

    expect(failing).toHaveLength(18);
  });

  it('tells its events from those of another plan by their mark', () => {
    const marked = planRun(createChance('seed'), fullSize(LEAST_EVENTS), 'mark_').events.map(({ id }) => id);

    expect(marked.some((id) => events.some((event) => event.id === id))).toBe(false);
  });
});

describe('the blows of a round', () => {
  it('are the same for the same seed, and DynamoDB is among them', () => {
    const blows = planBlows(createChance('seed'));

    expect(planBlows(createChance('seed'))).toEqual(blows);
    expect(planBlows(createChance('other'))).not.toEqual(blows);
    expect(blows.filter(({ blow }) => blow.kind === 'dynamodb')).toHaveLength(1);
  });
});
