import { beforeEach, describe, expect, it } from 'vitest';
import { METRICS } from '../../../lambda/contract.ts';
import { days, hours } from '../../../lambda/core/time.ts';
import { T0 } from '../../support/manual-clock.ts';
import { anOperatorOfADeployment } from './a-deployment.ts';

let scene: Awaited<ReturnType<typeof anOperatorOfADeployment>>;
beforeEach(async () => {
  scene = await anOperatorOfADeployment();
});

const run = async (...args: readonly string[]) => {
  const operator = scene.operate();
  const code = await operator.run('stats', ...args);
  return { code, ...operator };
};

describe('stats', () => {
  it('begin with the duplicates and their share of what was received', async () => {
    scene.points.set(METRICS.duplicates, [7, 5]).set(METRICS.received, [30, 20]).set(METRICS.outboxLagMs, [80, 210, 9]);

    const { code, printed } = await run();

    expect(code).toBe(0);
    expect(printed[0]).toBe('all sources, 2026-11-30T00:00:00.000Z to 2026-12-01T00:00:00.000Z');
    expect(printed[1]).toMatch(/^Duplicates +12 {2}24\.0 % of received$/);
    expect(printed[2]).toMatch(/^Received +50$/);
    expect(printed.find((line) => line.startsWith('OutboxLagMs'))).toMatch(/ 210 {2}highest$/);
    expect(printed.find((line) => line.startsWith('OutboxOldestMs'))).toMatch(/ - {2}highest$/);
  });

  it('say every metric there is, in JSON too', async () => {
    scene.points.set(METRICS.duplicates, [1]);

    const { printed } = await run('--json', '--source', 'stripe');

    const stats = JSON.parse(printed[0] ?? '');
    expect(stats).toMatchObject({ source: 'stripe', duplicateRate: null });
    expect(Object.keys(stats.metrics).sort()).toEqual(Object.values(METRICS).sort());
    expect(stats.metrics).toMatchObject({ Duplicates: 1, Received: 0, OutboxLagMs: null });
    expect(scene.asked[0]?.source).toBe('stripe');
  });

  it.each([
    ['30m', 60, T0 - hours(0.5)],
    ['3h', 60, T0 - hours(3)],
    ['4h', 300, T0 - hours(4)],
    ['62d', 300, T0 - days(62)],
    ['63d', 3600, T0 - days(63)],
  ])('of the last %s come in steps of %i s', async (last, stepSeconds, from) => {
    await run('--last', last);

    expect(scene.asked).toEqual([{ source: undefined, period: { from, to: T0, stepSeconds } }]);
  });

  it('begin with a whole step, so that none is cut', async () => {
    scene.clock.advance(61_000);

    await run('--last', '4h');

    expect(scene.asked[0]?.period.from).toBe(T0 - hours(4));
  });

  it.each(['0h', '24', '-1h', '456d', '1w', ''])('are refused for the period %j', async (last) => {
    const { code, noted } = await run(`--last=${last}`);

    expect([code, scene.asked]).toEqual([1, []]);
    expect(noted.at(-1)).toContain('see npx oncehook stats --help');
  });

  it('are refused for a source that is not declared', async () => {
    const { code, noted } = await run('--source', 'gitlab');

    expect([code, noted]).toEqual([1, ['oncehook: no such source: there are stripe, github, bazaar']]);
  });
});
