import { describe, expect, it } from 'vitest';
import { createEventSources } from '../../../../local/mappings/event-sources.ts';
import type { MappingTroubles } from '../../../../local/mappings/mapping-faults.ts';
import type { QueueMappingSpec, StreamMappingSpec } from '../../../../local/mappings/mapping-spec.ts';
import type { ScheduleSpec } from '../../../../local/mappings/schedule.ts';

const aMapping = (logicalId: string, batchSize = 100): StreamMappingSpec => ({
  from: 'stream',
  logicalId,
  tableName: 'Outbox',
  streamArn: 'stream',
  functionKey: 'dispatch',
  functionName: 'Dispatch',
  functionArn: 'arn',
  startAt: 'TRIM_HORIZON',
  patterns: [],
  batchSize,
  bisectsOnError: true,
  reportsItemFailures: true,
  maxRetries: 5,
  maxAgeMs: undefined,
  onFailure: undefined,
});

const aQueueMapping = (logicalId: string, functionKey: string): QueueMappingSpec => ({
  from: 'queue',
  logicalId,
  queueName: 'events',
  queueArn: 'arn',
  functionKey,
  functionName: 'Work',
  batchSize: 1,
  windowMs: 0,
  maxConcurrency: 2,
  reportsItemFailures: true,
});

const SCHEDULE: ScheduleSpec = {
  logicalId: 'EveryMinute',
  ruleArn: 'arn',
  functionKey: 'sweep',
  functionName: 'Sweep',
  everyMs: 60_000,
  input: undefined,
  maxRetries: 0,
};

/** Event sources whose mappings end when they are let go. */
function aSet() {
  const happened: string[] = [];
  const letGo: (() => void)[] = [];
  const troubles = new Map<string, MappingTroubles>();
  const sources = createEventSources({
    startMapping({ logicalId, batchSize }, trouble) {
      troubles.set(logicalId, trouble);
      happened.push(`start ${logicalId} ${batchSize}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      return {
        pause: async () => void happened.push(`pause ${logicalId}`),
        resume: () => happened.push(`resume ${logicalId}`),
        stop() {
          happened.push(`stop ${logicalId}`);
          letGo.push(resolve);
        },
        ended: promise,
      };
    },
    startSchedule: ({ functionName }) => ({
      fire: async () => ({ kind: 'returned', payload: functionName }),
      stop: () => happened.push(`stop ${functionName}`),
    }),
  });
  return { sources, happened, letGo, troubles };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the event sources of a stack', () => {
  it('that are the same after a deploy go on untouched', async () => {
    const { sources, happened } = aSet();

    await sources.replace([aMapping('A')], []);
    await sources.replace([aMapping('A')], []);

    expect(happened).toEqual(['start A 100']);
  });

  it('that are schedules keep their time across a deploy, unless they have changed', async () => {
    const { sources, happened } = aSet();

    await sources.replace([], [SCHEDULE]);
    await sources.replace([], [{ ...SCHEDULE }]);
    expect(happened).toEqual([]);
    await sources.replace([], [{ ...SCHEDULE, everyMs: 120_000 }]);
    expect(happened).toEqual(['stop Sweep']);
  });

  it('that have changed are started anew only when the one before has ended', async () => {
    const { sources, happened, letGo } = aSet();
    await sources.replace([aMapping('A')], []);

    const deployed = sources.replace([aMapping('A', 7)], []);
    await settle();
    expect(happened).toEqual(['start A 100', 'stop A']);
    letGo[0]?.();
    await deployed;

    expect(happened).toEqual(['start A 100', 'stop A', 'start A 7']);
  });

  it('that are paused stay so across a deploy', async () => {
    const { sources, happened, letGo } = aSet();
    await sources.replace([aMapping('A')], []);
    await sources.pause('dispatch');

    const deployed = sources.replace([aMapping('A', 7)], []);
    await settle();
    letGo[0]?.();
    await deployed;

    expect(happened.slice(-2)).toEqual(['start A 7', 'pause A']);
  });

  it.each([
    ['a function’s key', 'work', ['Q']],
    ['a function', { functionKey: 'dispatch' }, ['A']],
    ['a kind', { from: 'queue' as const }, ['Q', 'R']],
    ['both', { functionKey: 'consume', from: 'queue' as const }, ['R']],
    ['nothing', undefined, ['A', 'Q', 'R']],
  ])('are paused and resumed by %s', async (_, which, paused) => {
    const { sources, happened } = aSet();
    await sources.replace([aMapping('A'), aQueueMapping('Q', 'work'), aQueueMapping('R', 'consume')], []);
    happened.splice(0);

    await sources.pause(which);
    sources.resume(which);

    expect(happened).toEqual([...paused.map((id) => `pause ${id}`), ...paused.map((id) => `resume ${id}`)]);
    await expect(sources.pause({ functionKey: 'work', from: 'stream' })).rejects.toThrow('no stream leads to work');
  });

  it('go wrong by their own sources of faults, which count what they did and end', async () => {
    const { sources, troubles } = aSet();
    await sources.replace([aMapping('A'), aQueueMapping('Q', 'work')], []);
    const use = sources.faults.use(
      ({ kind, functionKey, n }) => kind === 'read-fails' && functionKey === 'work' && n > 1,
    );

    expect(troubles.get('A')?.befalls('read-fails')).toBe(false);
    expect(troubles.get('Q')?.befalls('batch-repeats')).toBe(false);
    expect([1, 2, 3].map(() => troubles.get('Q')?.befalls('read-fails'))).toEqual([false, true, true]);
    expect(use.injected).toEqual({ 'read-fails': 2, 'batch-repeats': 0, 'delete-fails': 0 });
    use.end();
    expect(troubles.get('Q')?.befalls('read-fails')).toBe(false);
  });

  it('are fired by rule or function, and refused by a name that is neither', async () => {
    const { sources } = aSet();
    await sources.replace([], [SCHEDULE]);

    expect(await sources.fire('sweep')).toEqual({ kind: 'returned', payload: 'Sweep' });
    expect(await sources.fire('EveryMinute')).toEqual({ kind: 'returned', payload: 'Sweep' });
    await expect(sources.fire('receive')).rejects.toThrow('no schedule receive');
    await expect(sources.pause('sweep')).rejects.toThrow('no stream or queue leads to sweep');
  });

  it('have ended when every one of them has', async () => {
    const { sources, happened, letGo } = aSet();
    await sources.replace([aMapping('A'), aMapping('B')], [SCHEDULE]);
    let ended = false;

    sources.stop();
    const ending = sources.ended().then(() => {
      ended = true;
    });
    letGo[0]?.();
    await settle();
    expect(ended).toBe(false);
    letGo[1]?.();
    await ending;

    expect(happened.slice(2)).toEqual(['stop A', 'stop B', 'stop Sweep']);
  });
});
