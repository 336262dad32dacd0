import { beforeEach, describe, expect, it } from 'vitest';
import { type Envelope, toEnvelope } from '../../../lambda/core/envelope.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../lambda/core/envelope-codec.ts';
import { days, epochMs, plus } from '../../../lambda/core/time.ts';
import { HIDDEN_WHILE_LOOKING } from '../../../lambda/operator/dead-letters/hold-messages.ts';
import { HIDDEN_WHILE_ASKING } from '../../../lambda/operator/dlq-discard.ts';
import { Refusal } from '../../../lambda/operator/refusal.ts';
import { anEvent } from '../../support/events.ts';
import { T0 } from '../../support/manual-clock.ts';
import { credit } from '../../support/protocol.ts';
import { anOperatorOfADeployment } from './a-deployment.ts';

let scene: Awaited<ReturnType<typeof anOperatorOfADeployment>>;
beforeEach(async () => {
  scene = await anOperatorOfADeployment();
});

const BODY = '{"type":"slip.credited","secret":"a private body"}';

const parked = (eventId: string, changes: Partial<Envelope> = {}): string =>
  encodeEnvelope({
    ...toEnvelope(anEvent({ eventId, rawBody: Buffer.from(BODY) })),
    parked: { reason: 'max-attempts', lastError: { name: 'Error', message: 'the ledger is closed' } },
    ...changes,
  });
const expired = (eventId: string): string => parked(eventId, { parked: { reason: 'expired', lastError: undefined } });

const dlq = () => scene.queues.eventsDlq;
const all = () => dlq().stored.map(({ messageId }) => messageId);
const run = async (...args: readonly string[]) => {
  const operator = scene.operate();
  const code = await operator.run('dlq', ...args);
  return { code, ...operator, json: () => operator.printed.map((line) => JSON.parse(line)) };
};

describe('listing a DLQ', () => {
  it('shows each message once, however many there are, and leaves all of them visible', async () => {
    for (let n = 0; n < 25; n += 1) dlq().put(parked(`evt_${n}`));

    const { code, json, noted } = await run('list', '--json');

    expect(code).toBe(0);
    expect(json().map(({ eventId }) => eventId)).toEqual(Array.from({ length: 25 }, (_, n) => `evt_${n}`));
    expect(dlq().visible()).toEqual(all());
    expect(noted.at(-1)).toBe('25 of about 25');
  });

  it('says why, and shows no body', async () => {
    dlq().put(parked('evt_1'));
    dlq().put('no envelope: a private body');

    const { printed } = await run('list');

    expect(printed.slice(1)).toEqual([
      '2026-12-01T00:00:00.000Z  max-attempts  bazaar evt_1 (slip.credited)  Error: the ledger is closed',
      '2026-12-01T00:00:00.000Z  unreadable    message-2: the message has no JSON',
    ]);
  });

  it('says that others are hidden when it cannot see all', async () => {
    dlq().put(parked('evt_1'));
    dlq().put(parked('evt_2'));
    await dlq().receive(HIDDEN_WHILE_LOOKING);
    dlq().put(parked('evt_3'));

    const { noted } = await run('list');

    expect(noted.slice(1)).toEqual(['1 of about 3', expect.stringContaining('others are hidden')]);
  });

  it('says that it was interrupted, not that others are hidden, and gives everything back', async () => {
    for (let n = 0; n < 12; n += 1) dlq().put(parked(`evt_${n}`));
    const operator = scene.operate();
    dlq().before = () => operator.interruption.abort();

    const code = await operator.run('dlq', 'list');

    expect([code, operator.noted.slice(1)]).toEqual([2, ['10 of about 12, interrupted: the rest was not looked at']]);
    expect(dlq().visible()).toHaveLength(12);
  });

  it('is done at --max, also when it is interrupted then', async () => {
    for (let n = 0; n < 12; n += 1) dlq().put(parked(`evt_${n}`));
    const operator = scene.operate();
    dlq().before = () => operator.interruption.abort();

    const code = await operator.run('dlq', 'list', '--max', '3');

    expect([code, operator.noted.at(-1)]).toEqual([0, '3 of about 12']);
  });

  it('ends after --max, and gives the rest back', async () => {
    for (let n = 0; n < 12; n += 1) dlq().put(parked(`evt_${n}`));

    const { printed } = await run('list', '--max', '3', '--json');

    expect(printed).toHaveLength(3);
    expect(dlq().visible()).toHaveLength(12);
  });

  it('gives everything back when the queue fails half-way', async () => {
    for (let n = 0; n < 12; n += 1) dlq().put(parked(`evt_${n}`));
    let receives = 0;
    dlq().before = () => {
      receives += 1;
      if (receives === 2) throw new Refusal('access denied');
    };

    const { code, noted } = await run('list');

    expect([code, noted.at(-1)]).toEqual([1, 'oncehook: access denied']);
    expect(dlq().visible()).toHaveLength(12);
  });

  it('lists the outbox DLQ by outbox id and topic', async () => {
    scene.queues.outboxDlq.put('{"amount":5}', {
      id: 'stripe#evt_1#1',
      topic: 'receipt.requested',
      reason: 'permanent',
    });
    scene.queues.outboxDlq.put('{"amount":5}', { id: 'stripe#evt_2#1', topic: 'receipt.requested' });

    const { printed } = await run('list', '--queue', 'outbox');

    expect(printed.slice(1)).toEqual([
      '2026-12-01T00:00:00.000Z  permanent     stripe#evt_1#1 (receipt.requested)',
      '2026-12-01T00:00:00.000Z  receives      stripe#evt_2#1 (receipt.requested)',
    ]);
  });
});

describe('showing a message', () => {
  it('by event id, key or message id, with its envelope and without its body', async () => {
    dlq().put(parked('evt_0'));
    dlq().put(parked('evt_1', { headers: { 'webhook-id': 'evt_1' } }));

    for (const id of ['evt_1', 'bazaar#evt_1', 'message-2']) {
      const { json, printed } = await run('show', id, '--json');

      expect(json()).toEqual([
        expect.objectContaining({
          source: 'bazaar',
          eventId: 'evt_1',
          reason: 'max-attempts',
          headers: { 'webhook-id': 'evt_1' },
          body: { bytes: Buffer.byteLength(BODY) },
          messageId: 'message-2',
        }),
      ]);
      expect(printed.join()).not.toContain('private');
    }
    expect(dlq().visible()).toEqual(all());
  });

  it('writes the body byte for byte when it is asked for, and nothing else', async () => {
    dlq().put(parked('evt_1'));

    const { written, printed } = await run('show', 'evt_1', '--body');

    expect(Buffer.concat(written).toString()).toBe(BODY);
    expect(printed).toEqual([]);
  });

  it('writes a stored body into a new file', async () => {
    scene.storedBodies.set('bazaar/abc', Buffer.from(BODY));
    dlq().put(parked('evt_1', { body: { kind: 'stored', bucket: 'bodies', key: 'bazaar/abc' } }));
    const files: [string, string][] = [];
    const operator = scene.operate({
      writeNewFile: async (path, bytes) => void files.push([path, Buffer.from(bytes).toString()]),
    });

    await operator.run('dlq', 'show', 'evt_1', '--body', '--output', 'body.json');

    expect(files).toEqual([['body.json', BODY]]);
    expect([operator.printed, operator.written]).toEqual([[], []]);
  });

  it('is refused for a body that is gone, for a message that is not there, and for --output alone', async () => {
    dlq().put(parked('evt_1', { body: { kind: 'stored', bucket: 'bodies', key: 'bazaar/gone' } }));

    const refusals = [
      await run('show', 'evt_1', '--body'),
      await run('show', 'evt_2'),
      await run('show', 'evt_1', '--output', 'x'),
    ];

    expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(refusals.map(({ noted }) => noted.at(-1))).toEqual([
      expect.stringContaining('the body is not in bodies any more'),
      expect.stringContaining('no such message can be seen in the DLQ: evt_2'),
      expect.stringContaining('add --body'),
    ]);
    expect(dlq().visible()).toEqual(all());
  });
});

describe('an event id that two sources have', () => {
  const twoSources = (): void => {
    dlq().put(parked('evt_1'));
    for (let n = 0; n < 20; n += 1) dlq().put(parked(`other_${n}`));
    dlq().put(parked('evt_1', { source: 'github' }));
  };
  const VERBS = [
    ['show', ['show', 'evt_1']],
    ['redrive', ['redrive', '--id', 'evt_1', '--max', '1']],
    ['discard', ['discard', '--id', 'evt_1', '--max', '1', '--reason', 'test data', '--yes']],
  ] as const;

  it.each(VERBS)('is refused by %s, which names the events and changes nothing', async (_verb, args) => {
    twoSources();

    const { code, printed, noted } = await run(...args);

    expect([code, printed]).toEqual([1, []]);
    expect(noted.at(-1)).toBe(
      'oncehook: evt_1 means more than one event: bazaar#evt_1, github#evt_1. Say which; nothing was changed',
    );
    expect(dlq().visible()).toEqual(all());
    expect([all().length, scene.queues.events.sent]).toEqual([22, []]);
  });

  it('is taken with its source', async () => {
    twoSources();

    const shown = await run('show', 'github#evt_1', '--json');
    const { noted } = await run('redrive', '--id', 'github#evt_1');
    await run('discard', '--id', 'bazaar#evt_1', '--reason', 'test data', '--yes');

    expect(shown.json()).toMatchObject([{ source: 'github', eventId: 'evt_1' }]);
    expect(noted.at(-1)).toBe('1 redriven');
    expect(scene.queues.events.sent.map(({ body }) => decodeEnvelope(body).source)).toEqual(['github']);
    expect(all()).toHaveLength(20);
  });

  it('does not stand in the way of an event of another source that is named like it', async () => {
    dlq().put(parked('bazaar#evt_1', { source: 'github' }));
    dlq().put(parked('evt_1'));

    const { json } = await run('show', 'bazaar#evt_1', '--json');
    await run('discard', '--id', 'bazaar#evt_1', '--reason', 'test data', '--yes');

    expect(json()).toMatchObject([{ source: 'bazaar', eventId: 'evt_1' }]);
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('means all copies of one event', async () => {
    for (let n = 0; n < 3; n += 1) dlq().put(parked('evt_1'));

    const { code, noted } = await run('discard', '--id', 'evt_1', '--reason', 'test data', '--yes');

    expect([code, noted[noted.length - 2], all()]).toEqual([0, '3 discarded', []]);
  });
});

describe('looking for an id, interrupted', () => {
  const interrupted = async (...args: readonly string[]) => {
    dlq().put(parked('evt_1'));
    for (let n = 0; n < 20; n += 1) dlq().put(parked(`other_${n}`));
    const operator = scene.operate();
    dlq().before = () => operator.interruption.abort();
    return { code: await operator.run('dlq', ...args), last: operator.noted.at(-1) };
  };

  it.each(['evt_1', 'evt_9'])('show says so, and not that %s is not there', async (id) => {
    expect(await interrupted('show', id)).toEqual({
      code: 1,
      last: 'oncehook: interrupted before all of the DLQ was looked through',
    });
    expect(dlq().visible()).toEqual(all());
  });

  it('redrive sends nothing, because others might be meant too', async () => {
    expect(await interrupted('redrive', '--id', 'evt_1')).toEqual({
      code: 2,
      last: '0 redriven, interrupted: the rest is where it was',
    });
    expect([scene.queues.events.sent, dlq().visible()]).toEqual([[], all()]);
  });
});

describe('redriving', () => {
  it('puts each event back as it first was, and takes it out of the DLQ', async () => {
    for (let n = 0; n < 25; n += 1) dlq().put(parked(`evt_${n}`));

    const { code, noted } = await run('redrive', '--all');

    expect([code, noted.at(-1)]).toEqual([0, '25 redriven']);
    expect(dlq().stored).toEqual([]);
    const sent = scene.queues.events.sent.map(({ body }) => decodeEnvelope(body));
    expect(sent.map(({ eventId }) => eventId).sort()).toEqual(Array.from({ length: 25 }, (_, n) => `evt_${n}`).sort());
    for (const envelope of sent) {
      expect(envelope).toMatchObject({ parked: undefined, force: false, notBefore: undefined });
      expect(envelope.body).toEqual({ kind: 'inline', bytes: Buffer.from(BODY) });
    }
  });

  it('takes the one that is named, and leaves the others visible', async () => {
    dlq().put(parked('evt_1'));
    dlq().put(parked('evt_2'));

    const { code, json } = await run('redrive', '--id', 'bazaar#evt_2', '--json');

    expect(code).toBe(0);
    expect(json()).toEqual([{ name: 'bazaar evt_2', messageId: 'message-2', kind: 'redriven', forced: false }]);
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('sends no more than --max, and goes on past those that it leaves', async () => {
    dlq().put(expired('evt_0'));
    for (let n = 1; n < 15; n += 1) dlq().put(parked(`evt_${n}`));

    await run('redrive', '--all', '--max', '2');

    expect(scene.queues.events.sent.map(({ body }) => decodeEnvelope(body).eventId)).toEqual(['evt_1', 'evt_2']);
    expect(dlq().visible()).toHaveLength(13);
  });

  it('leaves what nobody can read in the DLQ', async () => {
    dlq().put('no envelope');
    dlq().put(parked('evt_1'));

    const { code, noted } = await run('redrive', '--all');

    expect([code, noted.at(-1)]).toEqual([2, '1 redriven, 1 left because nobody can read them']);
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('leaves an event that says it is expired', async () => {
    dlq().put(expired('evt_1'));

    const { code, noted } = await run('redrive', '--all');

    expect([code, scene.queues.events.sent]).toEqual([2, []]);
    expect(noted.at(-1)).toContain('1 left because they may be older than the dedup window');
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('leaves an event that has become too old, unless the inbox has its row', async () => {
    await scene.protocol.process(anEvent({ eventId: 'known' }), async () => {
      throw new Error('failed');
    });
    dlq().put(parked('known'));
    dlq().put(parked('unknown'));
    dlq().put(parked('young', { receivedAt: plus(T0, days(10)) }));
    scene.clock.advance(days(90));

    const { json } = await run('redrive', '--all', '--json');

    expect(Object.fromEntries(json().map(({ name, kind }) => [name, kind]))).toEqual({
      'bazaar known': 'redriven',
      'bazaar unknown': 'expired',
      'bazaar young': 'redriven',
    });
  });

  it('goes by what messages say where the window cannot be seen, and says so', async () => {
    scene.inspection.workEnvironment = async () => {
      throw new Refusal('access denied');
    };
    dlq().put(parked('old', { receivedAt: epochMs(0) }));

    const { code, noted } = await run('redrive', '--all');

    expect(code).toBe(0);
    expect(noted).toContain('note: only events that say so themselves count as expired: access denied');
  });

  it('forces an expired event when that is wanted and confirmed', async () => {
    dlq().put(expired('evt_1'));
    dlq().put(parked('evt_2'));

    const unasked = await run('redrive', '--all', '--process-expired');
    const { code } = await run('redrive', '--all', '--process-expired', '--yes');

    expect([unasked.code, unasked.noted.at(-1)]).toEqual([1, expect.stringContaining('add --yes')]);
    expect(code).toBe(0);
    expect(
      scene.queues.events.sent.map(({ body }) => decodeEnvelope(body)).map(({ eventId, force }) => [eventId, force]),
    ).toEqual([
      ['evt_1', true],
      ['evt_2', false],
    ]);
  });

  it('redrives an event once a run, also when it comes back meanwhile', async () => {
    dlq().put(parked('evt_1'));
    scene.queues.events.before = () => void dlq().put(parked('evt_1'));

    const { code, noted } = await run('redrive', '--all');

    expect([code, noted.at(-1)]).toEqual([2, '1 redriven, 1 left because a copy was redriven just now']);
    expect(scene.queues.events.sent).toHaveLength(1);
  });

  it('keeps an event in the DLQ that the queue did not take', async () => {
    for (let n = 0; n < 3; n += 1) dlq().put(parked(`evt_${n}`));
    let sends = 0;
    scene.queues.events.before = () => {
      sends += 1;
      if (sends === 2) throw new Refusal('SQS could not do SendMessage: ServiceUnavailable');
    };

    const { code, noted } = await run('redrive', '--all');

    expect([code, noted.at(-1)]).toEqual([1, 'oncehook: SQS could not do SendMessage: ServiceUnavailable']);
    expect(dlq().visible()).toEqual(['message-2']);
    expect(scene.queues.events.sent).toHaveLength(2);
  });

  it('has no more under way than one batch, and ends between messages on Ctrl-C', async () => {
    for (let n = 0; n < 25; n += 1) dlq().put(parked(`evt_${n}`));
    const operator = scene.operate();
    scene.queues.events.before = () => operator.interruption.abort();

    const code = await operator.run('dlq', 'redrive', '--all');

    expect([code, operator.noted.at(-1)]).toEqual([2, '10 redriven, interrupted: the rest is where it was']);
    expect(scene.queues.events.sent).toHaveLength(10);
    expect(dlq().visible()).toHaveLength(15);
  });

  it('says how far it is every hundred messages', async () => {
    for (let n = 0; n < 201; n += 1) dlq().put(parked(`evt_${n}`));

    const { noted } = await run('redrive', '--all');

    expect(noted.slice(-3)).toEqual(['100 of about 201', '200 of about 201', '201 redriven']);
  });

  it('says of a message that could not be deleted that it is in both queues', async () => {
    dlq().put(parked('evt_1'));
    dlq().remove = async () => {
      throw new Refusal('access denied: these credentials may not call sqs:DeleteMessage on queue dlq');
    };

    const { code, noted } = await run('redrive', '--all');

    expect(code).toBe(1);
    expect(noted.at(-1)).toMatch(/^oncehook: bazaar#evt_1 was put back to work and is still in the DLQ: access denied/);
  });

  it('is a no-op for what was applied meanwhile', async () => {
    dlq().put(parked('evt_1'));
    await scene.protocol.process(anEvent({ eventId: 'evt_1' }), credit());

    await run('redrive', '--all');
    const [sent] = scene.queues.events.sent;
    const { source, eventId } = decodeEnvelope(sent?.body ?? '');

    expect(await scene.protocol.process(anEvent({ source, eventId }), credit())).toMatchObject({ kind: 'duplicate' });
  });

  it.each([[[]], [['--id', 'evt_1', '--all']]])('is refused for %j: which ones?', async (args) => {
    dlq().put(parked('evt_1'));

    const { code, noted } = await run('redrive', ...args);

    expect([code, noted]).toEqual([1, ['oncehook: say which: --id ID for one message, or --all']]);
    expect(dlq().visible()).toEqual(all());
  });

  it('is refused for an id that is not there', async () => {
    dlq().put(parked('evt_1'));

    const { code } = await run('redrive', '--id', 'evt_2');

    expect([code, dlq().visible(), scene.queues.events.sent]).toEqual([1, all(), []]);
  });
});

describe('redriving the outbox DLQ', () => {
  const ATTRIBUTES = { id: 'stripe#evt_1#1', topic: 'receipt.requested', createdAt: '2026-12-01T00:00:00.000Z' };

  it('sends the message as it first was', async () => {
    scene.queues.outboxDlq.put('{"amount":5}', { ...ATTRIBUTES, reason: 'permanent' });

    await run('redrive', '--queue', 'outbox', '--id', 'stripe#evt_1#1');

    expect(scene.queues.outbox.sent).toEqual([{ body: '{"amount":5}', attributes: ATTRIBUTES, fifo: undefined }]);
    expect(scene.queues.outboxDlq.stored).toEqual([]);
  });

  it('keeps a FIFO group, under an id that SQS has not seen within five minutes', async () => {
    scene = await anOperatorOfADeployment({ isFifo: true });
    scene.queues.outboxDlq.put('{"amount":5}', ATTRIBUTES, 'group-1');

    await run('redrive', '--queue', 'outbox', '--all');

    expect(scene.queues.outbox.sent).toMatchObject([{ fifo: { groupId: 'group-1', deduplicationId: 'message-1-1' } }]);
  });

  it('forces an expired one only when that is wanted', async () => {
    scene.queues.outboxDlq.put('{"amount":5}', { ...ATTRIBUTES, reason: 'expired' });

    const left = await run('redrive', '--queue', 'outbox', '--all');
    await run('redrive', '--queue', 'outbox', '--all', '--process-expired', '--yes');

    expect(left.code).toBe(2);
    expect(scene.queues.outbox.sent).toMatchObject([{ attributes: { ...ATTRIBUTES, force: 'true' } }]);
  });

  it('leaves a message without an outbox id', async () => {
    scene.queues.outboxDlq.put('{"amount":5}', {});

    const { code } = await run('redrive', '--queue', 'outbox', '--all');

    expect([code, scene.queues.outboxDlq.visible()]).toEqual([2, ['message-1']]);
  });
});

describe('discarding', () => {
  it('deletes what was shown, and nothing that came after', async () => {
    dlq().put(parked('evt_1'));
    const terminal = aPerson('yes', () => void dlq().put(parked('evt_2')));
    const operator = scene.operate({ terminal });

    const code = await operator.run('dlq', 'discard', '--all', '--reason', 'test data');

    expect([code, terminal.printed]).toEqual([0, ['bazaar evt_1  discarded by robin: test data']]);
    expect(dlq().visible()).toEqual(['message-2']);
  });

  it('is refused without a yes, and gives everything back', async () => {
    dlq().put(parked('evt_1'));
    const operator = scene.operate({ typed: 'n' });

    const code = await operator.run('dlq', 'discard', '--id', 'evt_1', '--reason', 'test data');

    expect([code, operator.asked]).toEqual([1, ['delete this message for good? [y/N] ']]);
    expect(operator.noted.join()).not.toContain('private');
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('is refused when the answer comes after others may see the messages again', async () => {
    dlq().put(parked('evt_1'));
    const late = aPerson('y', () => scene.clock.advance(HIDDEN_WHILE_ASKING - 59_000));

    const code = await scene.operate({ terminal: late }).run('dlq', 'discard', '--all', '--reason', 'test data');

    expect([code, dlq().stored.length]).toEqual([1, 1]);
  });

  it('deletes no message that others may see again, and says how many it deleted', async () => {
    for (let n = 0; n < 3; n += 1) dlq().put(parked(`evt_${n}`));
    const limit = HIDDEN_WHILE_ASKING - 60_000;
    let removes = 0;
    dlq().before = (action) => {
      if (action !== 'remove') return;
      removes += 1;
      // At the limit the second one goes still; a millisecond later the third one does not.
      scene.clock.advance(removes === 1 ? limit : 1);
    };

    const { code, printed, noted } = await run('discard', '--all', '--reason', 'test data', '--yes');

    expect([code, printed.length]).toEqual([1, 2]);
    expect(noted.at(-1)).toBe(
      'oncehook: it took too long: the rest may be visible to others again, so it was left. 2 of 3 discarded',
    );
    expect(all()).toEqual(['message-3']);
  });

  it('says how many it deleted when one could not be deleted', async () => {
    for (let n = 0; n < 3; n += 1) dlq().put(parked(`evt_${n}`));
    let removes = 0;
    dlq().before = (action) => {
      if (action === 'remove') removes += 1;
      if (removes === 2) throw new Refusal('SQS could not do DeleteMessage: ServiceUnavailable');
    };

    const { code, noted } = await run('discard', '--all', '--reason', 'test data', '--yes');

    expect([code, noted.at(-1)]).toEqual([
      1,
      'oncehook: 1 of 3 discarded, and bazaar#evt_1 may still be in the DLQ: SQS could not do DeleteMessage: ServiceUnavailable',
    ]);
    expect(dlq().visible()).toEqual(['message-2', 'message-3']);
  });

  it('deletes nothing when it is interrupted before it has asked', async () => {
    dlq().put(parked('evt_1'));
    const operator = scene.operate();
    dlq().before = () => operator.interruption.abort();

    const code = await operator.run('dlq', 'discard', '--id', 'evt_1', '--reason', 'test data', '--yes');

    expect([code, operator.noted.at(-1)]).toEqual([1, 'oncehook: interrupted, so nothing was deleted']);
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('is refused without a reason', async () => {
    dlq().put(parked('evt_1'));

    expect((await run('discard', '--all', '--yes')).code).toBe(1);
    expect((await run('discard', '--all', '--yes', '--reason', ' ')).code).toBe(1);
    expect(dlq().visible()).toEqual(['message-1']);
  });

  it('deletes also what nobody can read, by its message id, and records it in JSON', async () => {
    dlq().put('no envelope');

    const { code, json } = await run('discard', '--id', 'message-1', '--reason', 'broken', '--yes', '--json');

    expect([code, dlq().stored]).toEqual([0, []]);
    expect(json()).toEqual([
      expect.objectContaining({
        kind: 'unreadable',
        messageId: 'message-1',
        discarded: { by: 'robin', reason: 'broken' },
      }),
    ]);
  });
});

/** Somebody who answers, after something has happened. */
function aPerson(answer: string, before: () => void) {
  const printed: string[] = [];
  return {
    printed,
    print: (line: string) => void printed.push(line),
    note: () => {},
    write: async () => {},
    isInteractive: true,
    readInput: async () => Buffer.alloc(0),
    askHidden: async () => '',
    async ask() {
      before();
      return answer;
    },
  };
}

describe('the DLQ of the deliveries', () => {
  const toTarget = (target: string) => ({ id: 'stripe#evt_1#1', topic: 'receipt.requested', target });

  it('names each message by its outbox id and its target', async () => {
    scene.queues.deliveriesDlq.put('{"amount":5}', toTarget('billing'));

    const { printed } = await run('list', '--queue', 'deliveries');
    const { json } = await run('show', 'stripe#evt_1#1', '--queue', 'deliveries', '--json');

    expect(printed.at(-1)).toMatch(/receives +stripe#evt_1#1 → billing \(receipt\.requested\)$/);
    expect(json()).toMatchObject([{ kind: 'outbox', id: 'stripe#evt_1#1', target: 'billing' }]);
  });

  it('gives every target its own copy back, as it was', async () => {
    for (const target of ['billing', 'search']) scene.queues.deliveriesDlq.put('{"amount":5}', toTarget(target));

    const { code, noted } = await run('redrive', '--queue', 'deliveries', '--id', 'stripe#evt_1#1');

    expect([code, noted.at(-1)]).toEqual([0, '2 redriven']);
    expect(scene.queues.deliveries.sent.map(({ attributes }) => attributes)).toEqual([
      toTarget('billing'),
      toTarget('search'),
    ]);
    expect(scene.queues.deliveriesDlq.stored).toEqual([]);
  });
});
