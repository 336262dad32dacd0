import { beforeEach, describe, expect, it } from 'vitest';
import { decodeRow } from '../../../lambda/adapters/dynamodb/inbox-item.ts';
import { Permanent } from '../../../lambda/core/handler-errors.ts';
import { inboxEventId } from '../../../lambda/core/inbox-key.ts';
import { days, seconds } from '../../../lambda/core/time.ts';
import { anEvent } from '../../support/events.ts';
import { T0 } from '../../support/manual-clock.ts';
import { credit, freezeInHandler, sdkError } from '../../support/protocol.ts';
import { anOperatorOfADeployment } from './a-deployment.ts';

let scene: Awaited<ReturnType<typeof anOperatorOfADeployment>>;
beforeEach(async () => {
  scene = await anOperatorOfADeployment();
});

const failing = async (): Promise<never> => {
  throw new Error('the ledger is closed');
};
const parking = async (): Promise<never> => {
  throw new Permanent('no such account');
};
const clear = (...more: readonly string[]) => [
  'inbox',
  'clear',
  'bazaar',
  'evt_1',
  '--reason',
  'wrong amount',
  ...more,
];
const balance = async () => (await scene.stage.items('accounts'))[0]?.['balance'];
const row = async () => (await scene.stage.items('inbox'))[0];
/** The row must still be one that the functions can read. */
const readable = async () => decodeRow((await scene.stage.rawItems('inbox'))[0] ?? {});

describe('clearing an event', () => {
  it('makes its next delivery be applied, with the same outbox id', async () => {
    await scene.protocol.process(anEvent(), credit());
    const operator = scene.operate();

    const code = await operator.run(...clear('--yes'));
    const again = await scene.protocol.process(anEvent(), credit());

    expect(code).toBe(0);
    expect(again).toEqual({ kind: 'processed', attempt: 1 });
    expect(await balance()).toBe(1000);
    expect((await scene.stage.items('outbox')).map(({ id }) => id)).toEqual(['bazaar#evt_1#1']);
  });

  it('keeps who, when, why and what it was, also after it is applied again', async () => {
    await scene.protocol.process(anEvent(), credit());
    const processedAt = (await row())?.['processedAt'];

    await scene.operate().run(...clear('--yes', '--by', 'kim'));
    await scene.protocol.process(anEvent(), credit());
    await scene.operate().run(...clear('--yes'));

    expect((await row())?.['history']).toEqual([
      { at: '2026-12-01T00:00:00.000Z', by: 'kim', reason: 'wrong amount', was: 'processed', processedAt },
      { at: '2026-12-01T00:00:00.000Z', by: 'robin', reason: 'wrong amount', was: 'processed', processedAt },
    ]);
  });

  it('takes it from the attention index, and its expiry, its result and its steps from the row', async () => {
    await scene.protocol.process(anEvent(), async (_event, work) => {
      await work.step('mail', async () => 'sent');
      throw new Permanent('no such account');
    });

    await scene.operate().run(...clear('--yes'));

    const cleared = await row();
    expect(cleared).toMatchObject({ status: 'cleared', attempts: 1 });
    for (const gone of ['attention', 'expiresAt', 'result', 'steps', 'leaseUntilMs'])
      expect(cleared).not.toHaveProperty(gone);
    expect(await readable()).toMatchObject({ status: 'cleared', steps: {} });
  });

  it('makes finished steps run again with the same key', async () => {
    const keys: string[] = [];
    const mailing = (end: () => void) => async (_event: never, work: { step: typeof stepOf }) => {
      await work.step('mail', async (key) => void keys.push(key));
      end();
    };
    await scene.protocol.process(
      anEvent(),
      mailing(() => {
        throw new Permanent('stop');
      }) as never,
    );

    await scene.operate().run(...clear('--yes'));
    await scene.protocol.process(anEvent(), mailing(() => {}) as never);

    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('is honoured however late the next delivery comes', async () => {
    await scene.protocol.process(anEvent(), credit());
    await scene.operate().run(...clear('--yes'));
    scene.clock.advance(days(400));

    expect(await scene.protocol.process(anEvent(), credit())).toEqual({ kind: 'processed', attempt: 1 });
    expect((await row())?.['expiresAt']).toBeGreaterThan(scene.clock.now() / 1000);
  });

  it('says what it means, and how to have it delivered again', async () => {
    await scene.protocol.process(anEvent(), credit());
    const operator = scene.operate();

    await operator.run(...clear('--yes'));

    const said = operator.noted.join('\n');
    expect(said).toContain('it was APPLIED at 2026-12-01T00:00:00.000Z: its writes are made once more');
    expect(said).toContain('outbox ids stay the same');
    expect(said).toContain('finished steps are gone');
    expect(operator.printed).toEqual([
      'cleared bazaar evt_1, which was processed',
      expect.stringContaining('to send it again under the same webhook-id'),
    ]);
  });

  it('names the finished steps that will run again', async () => {
    await scene.protocol.process(anEvent(), async (_event, work) => {
      await work.step('mail', async () => 'sent');
      return failing();
    });
    const operator = scene.operate();

    await operator.run(...clear('--yes'));

    expect(operator.noted.join('\n')).toContain('will run again with the same idempotency keys: mail');
  });

  it('answers in JSON', async () => {
    await scene.protocol.process(anEvent(), parking);
    const operator = scene.operate();

    await operator.run(...clear('--yes', '--json'));

    expect(operator.printed.map((line) => JSON.parse(line))).toEqual([
      {
        kind: 'cleared',
        source: 'bazaar',
        eventId: 'evt_1',
        at: '2026-12-01T00:00:00.000Z',
        by: 'robin',
        reason: 'wrong amount',
        was: 'parked',
        redeliver: expect.any(String),
      },
    ]);
  });

  it('is taken for done when its answer was lost and the SDK sent it again', async () => {
    await scene.protocol.process(anEvent(), credit());
    const inbox = await scene.deployment.inbox();
    const seen = await inbox.read('bazaar#evt_1');
    if (seen === undefined) throw new Error('no row');
    const entry = {
      at: '2026-12-01T00:00:00.000Z',
      by: 'kim',
      reason: 'x',
      was: seen.row.status,
      processedAt: undefined,
    };
    expect(await inbox.clear(seen, entry)).toBe('cleared');

    expect(await inbox.clear(seen, entry)).toBe('cleared');
    expect((await row())?.['history']).toHaveLength(1);
    expect(await inbox.clear(seen, { ...entry, by: 'robin' })).toBe('changed');
  });
});

const stepOf = async (_name: string, _run: (key: string) => Promise<void>): Promise<void> => {};

describe('clearing is refused, and leaves everything as it was,', () => {
  const refused = async (args: readonly string[], operator = scene.operate()) => {
    const before = await scene.stage.items('inbox');
    const code = await operator.run(...args);
    expect(await scene.stage.items('inbox')).toEqual(before);
    expect(operator.printed).toEqual([]);
    return { code, said: operator.noted.at(-1) ?? '' };
  };

  it('while an attempt may still run', async () => {
    const worker = await freezeInHandler(scene.protocol, credit());

    const { code, said } = await refused(clear('--yes'));

    expect([code, said]).toEqual([
      1,
      expect.stringContaining('an attempt of it may still run, until 2026-12-01T00:00:11'),
    ]);
    worker.thaw();
    expect(await worker.outcome).toEqual({ kind: 'processed', attempt: 1 });
  });

  it('but not when the lease of the attempt has ended; that worker commits nothing any more', async () => {
    const worker = await freezeInHandler(scene.protocol, credit());
    scene.clock.advance(seconds(11));

    const code = await scene.operate().run(...clear('--yes'));
    worker.thaw();

    expect(code).toBe(0);
    expect(await worker.outcome).toEqual({ kind: 'claim-lost' });
    expect([await balance(), (await row())?.['status']]).toEqual([undefined, 'cleared']);
  });

  it('when the event changes after it was shown', async () => {
    await scene.protocol.process(anEvent(), failing);
    const operator = scene.operate({ typed: 'y' });
    scene.stage.intercept(({ name }) => {
      if (name !== 'UpdateItemCommand') return undefined;
      scene.stage.intercept(undefined);
      return { wait: scene.protocol.process(anEvent(), credit()).then(() => {}) };
    });

    const code = await operator.run(...clear());

    expect([code, operator.noted.at(-1)]).toEqual([1, expect.stringContaining('has changed since it was shown')]);
    expect(await row()).toMatchObject({ status: 'processed' });
    expect(await balance()).toBe(500);
  });

  it('when it is cleared already', async () => {
    await scene.protocol.process(anEvent(), credit());
    await scene.operate().run(...clear('--yes'));

    expect(await refused(clear('--yes'))).toEqual({ code: 1, said: expect.stringContaining('it is cleared already') });
  });

  it('for an event that the inbox does not know', async () => {
    expect(await refused(clear('--yes'))).toEqual({
      code: 1,
      said: expect.stringContaining('the inbox has no such event of bazaar'),
    });
  });

  it('for a source that is not declared', async () => {
    await scene.protocol.process(anEvent({ source: 'gone' }), credit());

    const { code, said } = await refused(['inbox', 'clear', 'gone', 'evt_1', '--reason', 'x', '--yes']);

    expect([code, said]).toEqual([1, expect.stringContaining('no such source')]);
  });

  it('when nobody says yes', async () => {
    await scene.protocol.process(anEvent(), credit());
    const operator = scene.operate({ typed: 'n' });

    const { code, said } = await refused(clear(), operator);

    expect([code, said]).toEqual([1, 'oncehook: not confirmed, so nothing was done']);
    expect(operator.asked).toEqual(['clear bazaar evt_1? [y/N] ']);
  });

  it('when nobody is there to ask', async () => {
    await scene.protocol.process(anEvent(), credit());

    expect(await refused(clear())).toEqual({ code: 1, said: expect.stringContaining('add --yes') });
  });

  it.each([
    ['is blank', ' ', /--reason must not be blank/],
    ['has 301 characters', 'x'.repeat(301), /has 301 characters; at most 300 are kept/],
  ])('when the reason %s', async (_what, reason, message) => {
    await scene.protocol.process(anEvent(), credit());

    const { code, said } = await refused(['inbox', 'clear', 'bazaar', 'evt_1', '--yes', '--reason', reason]);

    expect([code, said]).toEqual([1, expect.stringMatching(message)]);
  });

  it('but not when the reason has 300 characters', async () => {
    await scene.protocol.process(anEvent(), credit());

    expect(await scene.operate().run('inbox', 'clear', 'bazaar', 'evt_1', '--yes', '--reason', 'x'.repeat(300))).toBe(
      0,
    );
  });

  it('when the credentials may not write, in one line that says so', async () => {
    await scene.protocol.process(anEvent(), credit());
    scene.stage.intercept(({ name }) =>
      name === 'UpdateItemCommand' ? { before: sdkError('AccessDeniedException') } : undefined,
    );

    const { code, said } = await refused(clear('--yes'));

    expect(code).toBe(1);
    expect(said).toBe('oncehook: access denied: these credentials may not call dynamodb:UpdateItem on table inbox');
  });
});

describe('showing an event', () => {
  it('says what became of it, without claim token, result or step values', async () => {
    await scene.protocol.process(anEvent(), async (_event, work) => {
      await work.step('mail', async () => 'a private value');
      return failing();
    });
    const { claimToken } = (await row()) ?? {};
    const operator = scene.operate();

    const code = await operator.run('inbox', 'show', 'bazaar', 'evt_1');

    const shown = operator.printed.join('\n');
    expect(code).toBe(0);
    expect(shown).toContain('failed');
    expect(shown).toContain('the ledger is closed');
    expect(shown).toContain('mail');
    expect(shown).not.toContain('a private value');
    expect(shown).not.toContain(String(claimToken));
  });

  it('finds an event by the long id that its provider shows, and by the one that is listed', async () => {
    const long = 'x'.repeat(257);
    await scene.protocol.process(anEvent({ eventId: inboxEventId(long) }), credit());
    const [one, other] = [scene.operate(), scene.operate()];

    await one.run('inbox', 'show', 'bazaar', long, '--json');
    await other.run('inbox', 'show', 'bazaar', inboxEventId(long), '--json');

    expect(one.printed).toHaveLength(1);
    expect(one.printed).toEqual(other.printed);
  });

  it('lets nothing in an id or an error move the cursor', async () => {
    await scene.protocol.process(anEvent({ eventId: 'evt\u001b[2J' }), async () => {
      throw new Error('bad\u001b]0;title\u0007');
    });
    const operator = scene.operate();

    await operator.run('inbox', 'show', 'bazaar', 'evt\u001b[2J');
    await operator.run('inbox', 'list');

    expect([...operator.printed, ...operator.noted].join('')).not.toMatch(/\p{Cc}/u);
  });
});

describe('listing events', () => {
  const eventIds = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).eventId).sort();

  it('finds what failed and what was parked by the index, and scans nothing', async () => {
    await scene.protocol.process(anEvent({ eventId: 'done' }), credit());
    for (let n = 0; n < 12; n += 1) await scene.protocol.process(anEvent({ eventId: `failed-${n}` }), failing);
    await scene.protocol.process(anEvent({ eventId: 'parked-1' }), parking);
    const operator = scene.operate();
    const scans: string[] = [];
    scene.stage.intercept(({ name }) => {
      if (name === 'ScanCommand') scans.push(name);
      return undefined;
    });

    await operator.run('inbox', 'list', '--json');

    expect(eventIds(operator.printed)).toEqual(
      [...Array.from({ length: 12 }, (_, n) => `failed-${n}`), 'parked-1'].sort(),
    );
    expect(scans).toEqual([]);
  });

  it('takes a status, a source and a limit', async () => {
    await scene.protocol.process(anEvent({ eventId: 'a' }), failing);
    await scene.protocol.process(anEvent({ eventId: 'b' }), parking);
    await scene.protocol.process(anEvent({ eventId: 'c', source: 'stripe' }), parking);
    const list = async (...args: readonly string[]) => {
      const operator = scene.operate();
      await operator.run('inbox', 'list', '--json', ...args);
      return eventIds(operator.printed);
    };

    expect(await list('--status', 'parked')).toEqual(['b', 'c']);
    expect(await list('--status', 'parked', '--source', 'stripe')).toEqual(['c']);
    expect(await list('--limit', '2')).toHaveLength(2);
  });

  it('leaves out what somebody has claimed since', async () => {
    await scene.protocol.process(anEvent(), failing);
    scene.stage.intercept(({ name }) => {
      if (name !== 'GetItemCommand') return undefined;
      scene.stage.intercept(undefined);
      return { wait: scene.protocol.process(anEvent(), credit()).then(() => {}) };
    });
    const operator = scene.operate();

    await operator.run('inbox', 'list', '--json');

    expect(operator.printed).toEqual([]);
  });

  it('refuses a status that has no index', async () => {
    const operator = scene.operate();

    expect(await operator.run('inbox', 'list', '--status', 'processed')).toBe(1);
    expect(operator.noted.at(-1)).toContain('add --all');
  });

  it('with --all says what the scan costs, and asks, before it reads anything', async () => {
    await scene.protocol.process(anEvent(), credit());
    const operator = scene.operate({ typed: 'n' });
    let scans = 0;
    scene.stage.intercept(({ name }) => {
      if (name === 'ScanCommand') scans += 1;
      return undefined;
    });

    const code = await operator.run('inbox', 'list', '--all');

    expect([code, scans]).toEqual([1, 0]);
    expect(operator.noted).toContain(
      'a scan reads all of the inbox: about 20000 rows, 1954 read units, under $0.01 on demand in us-east-1 (AWS counts rows every six hours)',
    );
  });

  it('with --all lists every status, and rows that nobody can read', async () => {
    await scene.protocol.process(anEvent({ eventId: 'done' }), credit());
    await scene.stage.put('inbox', { id: 'bazaar#odd', v: 99 });
    const operator = scene.operate();

    await operator.run('inbox', 'list', '--all', '--yes', '--json');

    expect(operator.printed.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'event', eventId: 'done', status: 'processed' }),
        { kind: 'unreadable', key: 'bazaar#odd', reason: expect.stringContaining('schema version 99') },
      ]),
    );
  });

  it('begins to print before the last page is read', async () => {
    for (let n = 0; n < 30; n += 1) await scene.protocol.process(anEvent({ eventId: `e${n}` }), failing);
    const operator = scene.operate();
    const printedAt: number[] = [];
    scene.stage.intercept(({ name }) => {
      if (name === 'QueryCommand') printedAt.push(operator.printed.length);
      return undefined;
    });

    await operator.run('inbox', 'list', '--status', 'failed');

    expect(printedAt.at(-1)).toBeGreaterThan(0);
  });
});

it('a lapsed or finished row shows when it is forgotten', async () => {
  await scene.protocol.process(anEvent(), credit());
  const operator = scene.operate();

  await operator.run('inbox', 'show', 'bazaar', 'evt_1', '--json');

  expect(JSON.parse(operator.printed[0] ?? '').expiresAt).toBe(new Date(T0 + days(14)).toISOString());
});
