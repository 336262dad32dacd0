import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../lambda/contract.ts';
import { toEnvelope } from '../../../lambda/core/envelope.ts';
import { encodeEnvelope } from '../../../lambda/core/envelope-codec.ts';
import { Permanent } from '../../../lambda/core/handler-errors.ts';
import { anEvent } from '../../support/events.ts';
import { aMessage, rowOf } from '../../support/outbox.ts';
import { credit } from '../../support/protocol.ts';
import { anOperatorOfADeployment } from './a-deployment.ts';
import { anOperator, answered } from './an-operator.ts';

/* What people and scripts read of the verbs on a deployment. A change here is a change for them. */

const golden = (name: string) => `../../golden/cli/${name}.txt`;

const output = ({ printed, noted }: { printed: readonly string[]; noted: readonly string[] }, code: number): string =>
  [...printed, '--- standard error', ...noted, `exit code ${code}`, ''].join('\n');

describe('golden help', () => {
  it.each([
    'inbox',
    'inbox show',
    'inbox list',
    'inbox clear',
    'outbox',
    'outbox pending',
    'outbox redrive',
    'dlq',
    'dlq list',
    'dlq show',
    'dlq redrive',
    'dlq discard',
    'stats',
    'doctor',
  ])('of %s', async (verb) => {
    const operator = anOperator();

    const code = await operator.run(...verb.split(' '), '--help');

    expect(operator.noted).toEqual([]);
    await expect(`${operator.printed.join('\n')}\nexit code ${code}\n`).toMatchFileSnapshot(
      golden(`help-${verb.replace(' ', '-')}`),
    );
  });
});

/** One event of each kind, a DLQ with one of each kind, and a stuck message. */
async function aScene() {
  const scene = await anOperatorOfADeployment();
  const process = (eventId: string, handler: Parameters<typeof scene.protocol.process>[1]) =>
    scene.protocol.process(anEvent({ eventId }), handler);
  await process('evt_done', credit());
  await process('evt_failed', async (_event, work) => {
    await work.step('mail', async () => 'sent');
    throw new Error('the ledger is closed');
  });
  await process('evt_parked', async () => {
    throw new Permanent('no such account');
  });
  const parked = (eventId: string, reason: 'permanent' | 'expired') =>
    encodeEnvelope({
      ...toEnvelope(anEvent({ eventId, headers: { 'webhook-id': eventId } })),
      parked: { reason, lastError: { name: 'Permanent', message: 'no such account' } },
    });
  scene.queues.eventsDlq.put(parked('evt_parked', 'permanent'));
  scene.queues.eventsDlq.put(parked('evt_old', 'expired'));
  scene.queues.eventsDlq.put('no envelope');
  await scene.stage.put('outbox', rowOf(aMessage({ state: 'stuck', attempts: 20 })));
  scene.points
    .set(METRICS.duplicates, [12])
    .set(METRICS.received, [50])
    .set(METRICS.processed, [37])
    .set(METRICS.failed, [1])
    .set(METRICS.outboxLagMs, [212]);
  return scene;
}

describe('golden output', () => {
  it.each([
    ['inbox-show', ['inbox', 'show', 'bazaar', 'evt_failed']],
    ['inbox-show-json', ['inbox', 'show', 'bazaar', 'evt_failed', '--json']],
    ['inbox-list-parked', ['inbox', 'list', '--status', 'parked']],
    ['inbox-clear', ['inbox', 'clear', 'bazaar', 'evt_done', '--reason', 'wrong amount', '--yes']],
    ['outbox-redrive', ['outbox', 'redrive', '--all']],
    ['dlq-list', ['dlq', 'list']],
    ['dlq-list-json', ['dlq', 'list', '--json']],
    ['dlq-show', ['dlq', 'show', 'evt_parked']],
    ['dlq-redrive', ['dlq', 'redrive', '--all']],
    ['dlq-discard', ['dlq', 'discard', '--id', 'evt_old', '--reason', 'decided by support', '--yes']],
    ['stats', ['stats']],
    ['doctor', ['doctor']],
  ])('of %s', async (name, args) => {
    const scene = await aScene();
    const operator = scene.operate({ post: async () => answered(404, 'unknown-source') });

    const code = await operator.run(...args);

    const text = output(operator, code).replaceAll(/body sha256 +[0-9a-f]{64}/g, 'body sha256    #');
    await expect(text).toMatchFileSnapshot(golden(name));
  });

  it.each([
    ['misuse-inbox-clear-without-reason', ['inbox', 'clear', 'bazaar', 'evt_1']],
    ['misuse-unknown-status', ['inbox', 'list', '--status', 'broken']],
    ['misuse-unknown-queue', ['dlq', 'list', '--queue', 'streamFailures']],
  ])('of %s', async (name, args) => {
    const operator = anOperator();

    const code = await operator.run(...args);

    expect(code).toBe(1);
    await expect(output(operator, code)).toMatchFileSnapshot(golden(name));
  });
});
