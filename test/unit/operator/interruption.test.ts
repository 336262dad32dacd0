import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createInterruption } from '../../../lambda/operator/outside/interruption.ts';

function anInterruption() {
  const signals = new EventEmitter();
  let told = 0;
  const interruption = createInterruption(() => {
    told += 1;
  }, signals);
  return { ...interruption, signals, told: () => told };
}

it('the first Ctrl-C tells the work to end, and a second one is not held up', async () => {
  const { untilInterrupted, signals, told } = anInterruption();

  const aborted = await untilInterrupted(async (interruption) => {
    signals.emit('SIGINT');
    expect(signals.listenerCount('SIGINT')).toBe(0);
    return interruption.aborted;
  });

  expect([aborted, told()]).toEqual([true, 1]);
});

it('a reader that has seen enough ends the work, as often as it says so', async () => {
  const { untilInterrupted, interrupt } = anInterruption();

  const seen = await untilInterrupted(async (interruption) => [interrupt(), interrupt(), interruption.aborted]);

  expect([seen, interrupt()]).toEqual([[true, true, true], false]);
});

it('work that ends, or fails, leaves nothing behind', async () => {
  const { untilInterrupted, interrupt, signals } = anInterruption();

  await untilInterrupted(async () => {});
  await untilInterrupted(async () => Promise.reject(new Error('failed'))).catch(() => {});

  expect([signals.listenerCount('SIGINT'), interrupt()]).toEqual([0, false]);
});
