import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { METRIC_NAMESPACE, METRICS } from '../../lambda/contract.ts';
import { inboxKey } from '../../lambda/core/inbox-key.ts';
import { faultRule } from '../../local/faults/rule.ts';
import { emittedIn, isRinging, valuesIn } from '../support/shown-metrics.ts';
import type { CliRun } from '../unit/operator/cli-process.ts';
import type { SignedDelivery } from './official-senders.ts';
import {
  alarm,
  aws,
  cli,
  deliver,
  entriesOf,
  everything,
  folder,
  HOUR_MS,
  jsonLines,
  ledger,
  linesFrom,
  measured,
  ofShop,
  onStack,
  operate,
  operator,
  operatorPolicy,
  owe,
  owedAttributes,
  PATIENCE,
  put,
  quiet,
  rowOf,
  secretOf,
  shown,
  startScene,
  stopScene,
  sumOf,
  tables,
  valuesOf,
  type Who,
} from './operator-scene.ts';
import { aSecret, type Grant, grants, isCovered, policyWithout, prepare, verbs } from './operator-verbs.ts';

beforeAll(startScene);
afterAll(stopScene);

describe('50 copies of two events', () => {
  const COPIES = 50;
  const EVENTS = ['msg_one', 'msg_two'];
  const runs: CliRun[] = [];

  beforeAll(async () => {
    const url = `${aws.apiUrl}/webhooks/counted`;
    const options = ['--times', '25', '--concurrency', '8', '--url', url, '--secret-stdin', '--json'];
    runs.push(
      ...(await Promise.all(
        EVENTS.map((id) => cli(operator, ['send', 'counted', 'paid', '--id', id, ...options], secretOf('counted'))),
      )),
    );
    // A copy that was queued beside its running event is told apart by the worker.
    await vi.waitFor(() => expect(sumOf(METRICS.duplicates, 'counted')).toBe(COPIES - EVENTS.length), PATIENCE);
  });

  it('are duplicates but for two: by their answers, the metric lines and oncehook stats', async () => {
    const outcomes = runs.flatMap(jsonLines).flatMap(({ kind, outcome }) => (kind === 'answer' ? [outcome] : []));
    const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
    const stats = await Promise.all([
      cli(operator, onStack('stats', '--source', 'counted', '--last', '1h', '--json')),
      cli(operator, onStack('stats', '--last', '1h', '--json')),
    ]);

    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(outcomes).toHaveLength(COPIES);
    expect(count('processed')).toBe(EVENTS.length);
    expect(count('duplicate') + count('queued')).toBe(COPIES - EVENTS.length);
    expect(count('duplicate')).toBeGreaterThan(0);
    for (const { code, stdout } of stats) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        duplicateRate: (100 * (COPIES - EVENTS.length)) / COPIES,
        metrics: { Duplicates: COPIES - EVENTS.length, Received: COPIES, Processed: EVENTS.length, Failed: 0 },
      });
    }
  });

  it('are two processed events of the inbox, each applied once', async () => {
    const listed = await cli(operator, onStack('inbox', 'list', '--all', '--source', 'counted', '--yes', '--json'));

    expect(listed.code).toBe(0);
    expect(
      jsonLines(listed)
        .map(({ eventId, status, attempts }) => [eventId, status, attempts])
        .toSorted(),
    ).toEqual(EVENTS.map((id) => [id, 'processed', 1]));
    expect(await Promise.all(EVENTS.map(entriesOf))).toEqual([1, 1]);
  });

  it('ring no alarm that our own lines could ring', () => {
    const own = shown.alarms.filter(
      ({ metric, ringsWhenSilent }) => metric.namespace === METRIC_NAMESPACE && !ringsWhenSilent,
    );

    expect(own.map(({ name }) => name)).toEqual(['Parked', 'Failed', 'OutboxStuck']);
    expect(own.filter((each) => isRinging(each, valuesOf(each)))).toEqual([]);
  });
});

describe('a parked event', () => {
  const ID = 'msg_parked';
  const PLACES: Readonly<Record<string, string>> = { SOURCE: 'shop', EVENT_ID: ID };
  let delivery: SignedDelivery;

  /** A command as the runbook has it under an alarm, for this event and this stack. */
  async function asInRunbook(section: string, command: string, ...options: readonly string[]): Promise<CliRun> {
    const runbook = await readFile(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
    const text = runbook.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
    const written = text
      .split('\n')
      .find((line) => line.trim().startsWith(`npx oncehook ${command}`))
      ?.trim();
    if (written === undefined) throw new Error(`the runbook has no ${command} under ${section}`);
    const args = written.split(' ').slice(2);
    const here = args.map((arg) =>
      arg === 'NAME' ? aws.stackName : arg === 'body.json' ? join(folder, arg) : (PLACES[arg] ?? arg),
    );
    return cli(operator, [...here, ...options]);
  }

  beforeAll(async () => {
    ledger.status = 503;
    delivery = ofShop(ID, 'booked', { amount: 5 });
    expect(await deliver('shop', delivery)).toEqual({ status: 200, outcome: 'queued' });
    await aws.logs.waitFor(({ fields }) => fields?.['outcome'] === 'parked' && fields['eventId'] === ID);
  });

  it('rings Parked and Failed by the lines of its attempts, and EventsDlq by the queue', async () => {
    expect(isRinging(alarm('Parked'), valuesOf(alarm('Parked')))).toBe(true);
    expect(isRinging(alarm('Failed'), valuesOf(alarm('Failed')))).toBe(true);
    expect(isRinging(alarm('EventsDlq'), await measured(alarm('EventsDlq')))).toBe(true);
  });

  it('is found and understood with what the runbook says', async () => {
    const [listed, row] = await Promise.all([
      asInRunbook('Parked', 'inbox list'),
      asInRunbook('Parked', 'inbox show', '--json'),
    ]);
    // One after the other: who looks at a message hides it from others.
    const inDlq = await asInRunbook('EventsDlq', 'dlq list');
    const message = await asInRunbook('EventsDlq', 'dlq show', '--json');
    const body = await asInRunbook('EventsDlq', 'dlq show EVENT_ID --body');

    expect([listed, row, inDlq, message, body].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(listed.stdout).toMatch(/^parked .* shop msg_parked \(booked\) {2}Error: the ledger answered 503$/m);
    expect(JSON.parse(row.stdout)).toMatchObject({
      status: 'parked',
      attempts: 2,
      failures: 2,
      lastError: { name: 'Error', message: 'the ledger answered 503' },
    });
    expect(inDlq.stdout).toMatch(/max-attempts +shop msg_parked \(booked\) {2}Error: the ledger answered 503$/m);
    expect(JSON.parse(message.stdout)).toMatchObject({ source: 'shop', eventId: ID, reason: 'max-attempts' });
    expect(await readFile(join(folder, 'body.json'), 'utf8')).toBe(delivery.body);
    expect(operator.denied).toEqual([]);
  });

  it('is applied once, when its cause is gone and it was redriven', async () => {
    ledger.status = 200;

    const redriven = await asInRunbook('EventsDlq', 'dlq redrive');
    await aws.logs.waitFor(({ fields }) => fields?.['outcome'] === 'processed' && fields['eventId'] === ID);
    const [row, inDlq] = await Promise.all([
      asInRunbook('Parked', 'inbox show', '--json'),
      asInRunbook('EventsDlq', 'dlq list'),
    ]);

    expect(redriven).toMatchObject({ code: 0, stdout: 'shop msg_parked  redriven\n' });
    expect(redriven.stderr).toMatch(/^1 redriven$/m);
    expect(JSON.parse(row.stdout)).toMatchObject({ status: 'processed', lastError: null });
    expect(inDlq).toMatchObject({ code: 0, stdout: '' });
    expect(inDlq.stderr).toMatch(/^nothing can be seen in it$/m);
    expect(await entriesOf(ID)).toBe(1);
    expect(await measured(alarm('EventsDlq'))).toEqual([0]);
  });
});

const says = (input: Readonly<Record<string, unknown>>, word: string) => JSON.stringify(input).includes(word);

/** Has the functions of the stack emit every metric that the scenarios before have not. */
async function emitTheRest(): Promise<void> {
  const copy = ofShop('msg_copy', 'paid', { amount: 1 });
  await deliver('shop', copy);
  await deliver('shop', ofShop('msg_copy', 'paid', { amount: 1, attempt: 2 }));
  await deliver('shop', { ...copy, headers: { ...copy.headers, 'webhook-signature': 'v1,Zm9yZ2Vk' } });
  await deliver('shop', ofShop('msg_second', 'moved', { shelf: 'a', sequence: 2 }));
  await deliver('shop', ofShop('msg_first', 'moved', { shelf: 'a', sequence: 1 }));
  await deliver('shop', ofShop('msg_old', 'paid', {}, new Date('2020-01-01T00:00:00Z')));

  ledger.hold();
  const held = deliver('shop', ofShop('msg_held', 'booked'));
  await ledger.arrival();
  await deliver('shop', ofShop('msg_held', 'booked'));
  ledger.release();
  await held;

  const { faults } = aws.gateway;
  const ofCommit = (word: string) => ({
    action: 'TransactWriteItems',
    when: ({ input }: { readonly input: Readonly<Record<string, unknown>> }) => says(input, word),
  });
  faults.use(faultRule({ ...ofCommit('msg_conflict'), fault: { kind: 'conflict', at: 0 } }));
  await deliver('shop', ofShop('msg_conflict', 'paid'));
  faults.use(faultRule({ ...ofCommit('msg_killed'), fault: { kind: 'kill-before' } }));
  await deliver('shop', ofShop('msg_killed', 'paid'));
  // Its lease need not be waited for.
  await tables.send(
    new UpdateCommand({
      TableName: aws.tables['inbox'],
      Key: { id: inboxKey('shop', 'msg_killed') },
      UpdateExpression: 'SET leaseUntilMs = :past',
      ExpressionAttributeValues: { ':past': 1 },
    }),
  );
  await deliver('shop', ofShop('msg_killed', 'paid'));

  for (let n = 0; n < 2; n += 1) {
    await put(aws.queues['outbox'], '{"account":"ada"}', owedAttributes('shop#msg_twice#1'));
  }
  const unsent = faults.use(({ action, input }) =>
    action === 'SendMessageBatch' && says(input, 'msg_unsent') ? { kind: 'partial', failed: [0] } : undefined,
  );
  await owe('shop#msg_unsent#1', { attempts: 19 });
  await aws.fireSchedule('sweep');
  await aws.fireSchedule('sweep');
  unsent.end();
}

/** Those of a stack with `deliverTo` alone, which has no consumer: this one has one. */
const ELSEWHERE: readonly string[] = [METRICS.delivered, METRICS.deliveryFailed];

describe('the metrics', () => {
  const emitted = () => linesFrom().flatMap(emittedIn);
  const names = () => [...new Set(emitted().map(({ name }) => name))].toSorted();

  beforeAll(async () => {
    await emitTheRest();
    const expected = Object.values(METRICS).filter((name) => !ELSEWHERE.includes(name));
    await vi.waitFor(() => expect(names()).toEqual(expected.toSorted()), PATIENCE);
  });

  it('of the dashboard and the alarms are carried by some line, in the very dimensions that are shown', () => {
    const own = [...shown.onDashboard, ...shown.alarms.map(({ metric }) => metric)].filter(
      ({ namespace }) => namespace === METRIC_NAMESPACE,
    );

    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((metric) => valuesIn(linesFrom(), metric).length === 0)).toEqual([]);
  });

  it('of the lines are on the dashboard, and in no other dimensions', () => {
    const own = shown.onDashboard.filter(({ namespace }) => namespace === METRIC_NAMESPACE);
    const onDashboard = new Set(own.map(({ name }) => name));
    const shownSets = new Set(own.map(({ dimensions }) => JSON.stringify(dimensions)));

    expect(names().filter((name) => !onDashboard.has(name))).toEqual([]);
    for (const { namespace, sets } of emitted()) {
      expect(namespace).toBe(METRIC_NAMESPACE);
      // Once as the total, and once by its source where it has one.
      expect(sets.at(-1)).toEqual({});
      expect(sets.length).toBeLessThanOrEqual(2);
      for (const set of sets) expect(shownSets).toContain(JSON.stringify(set));
    }
  });

  it('ring the alarms of the outbox: by lines of the sweep, and by what is in the queues', async () => {
    const { QueueName: name } = { QueueName: '', ...alarm('StreamFailures').metric.dimensions };
    const base = String(aws.queues['events']).replace(/[^/]+$/, '');
    await put(`${base}${name}`, '{}');
    await put(aws.queues['outboxDlq'], '{"account":"ada"}', owedAttributes('shop#msg_dlq#1'));

    expect(valuesOf(alarm('OutboxOldest'))[0]).toBeGreaterThanOrEqual(HOUR_MS);
    for (const each of ['OutboxOldest', 'OutboxStuck'])
      expect(isRinging(alarm(each), valuesOf(alarm(each)))).toBe(true);
    for (const each of ['OutboxDlq', 'StreamFailures']) {
      expect(isRinging(alarm(each), await measured(alarm(each)))).toBe(true);
    }
  });
});

describe('the verbs', () => {
  const neededBy = new Map<Grant, number>();

  beforeAll(async () => {
    await prepare(1);
    await prepare(2);
  });

  it('do what they say with the operator policy, and need all of it', async () => {
    for (const [n, { args, stdin, code = 0 }] of verbs(1).entries()) {
      const who = await aws.asPrincipal({ policy: operatorPolicy() });

      const ended = await operate(who, onStack(...args), stdin);

      expect({ args, ...ended }).toMatchObject({ args, code });
      expect(who.denied).toEqual([]);
      for (const grant of grants()) {
        const known = [...neededBy.keys()].some(
          (each) => each.action === grant.action && each.resource === grant.resource,
        );
        if (!known && who.used.some((deed) => isCovered(grant, deed))) neededBy.set(grant, n);
      }
      await who.stop();
    }

    const unneeded = grants().filter(
      ({ action, resource }) =>
        ![...neededBy.keys()].some((each) => each.action === action && each.resource === resource),
    );
    expect(unneeded).toEqual([]);
  });

  it('say what is missing without any one of its grants, and leave everything as it was', async () => {
    // A write that is done before something is missing, and messages that stay hidden, come last.
    const isLast = ({ action }: Grant) => Number(/DescribeSecret|Visibility/.test(action));
    const inTurn = [...neededBy].toSorted(([one], [other]) => isLast(one) - isLast(other));
    await quiet();
    let before = await everything();
    for (const [grant, n] of inTurn) {
      const { args = [], stdin } = verbs(2)[n] ?? {};
      const who = await aws.asPrincipal({
        policy: policyWithout((each) => each.action === grant.action && each.resource === grant.resource),
      });

      const { code, said } = await operate(who, onStack(...args), stdin);

      const withheld = `${grant.action} on ${grant.resource} for ${args.join(' ')}`;
      expect(said, withheld).toContain(`access denied: these credentials may not call ${grant.action} on `);
      // What could only be looked at is named, and the rest is done; everything else is refused.
      expect(code, withheld).toBe(IS_NAMED_ONLY.has(grant.action) ? 0 : 1);
      expect(
        who.denied.some((deed) => isCovered(grant, deed)),
        withheld,
      ).toBe(true);
      const after = await everything();
      if (grant.action !== 'secretsmanager:DescribeSecret') expect(after, withheld).toEqual(before);
      before = after;
      await who.stop();
    }
  });

  it('put an event back to work all the same when it cannot be deleted, and say that it is in both', async () => {
    const mayNot = await aws.asPrincipal({ policy: policyWithout(({ action }) => action === 'sqs:DeleteMessage') });
    await put(aws.queues['outboxDlq'], '{"account":"ada"}', owedAttributes('shop#msg_both#1'));

    const { code, said } = await operate(
      mayNot,
      onStack('dlq', 'redrive', '--queue', 'outbox', '--id', 'shop#msg_both#1'),
    );

    expect(code).toBe(1);
    expect(said).toContain('shop#msg_both#1 was put back to work and is still in the DLQ: access denied');
    await mayNot.stop();
  });
});

/** Of what the doctor looks at, a warning; a write that was done, and is not looked at again; messages left hidden. */
const IS_NAMED_ONLY = new Set([
  'dynamodb:DescribeContinuousBackups',
  'lambda:GetFunctionConfiguration',
  'secretsmanager:DescribeSecret',
  'sqs:ChangeMessageVisibility',
]);

describe('an operator is refused', () => {
  beforeAll(async () => {
    await quiet();
    // Its own retries would change what is to stay as it was.
    await aws.mappings.pause('work');
  });
  afterAll(() => {
    aws.mappings.resume('work');
  });

  /** Makes sure that it ends with 1 and changes nothing. @returns what was said */
  async function refused(attempt: () => Promise<{ readonly code: number | null; readonly said: string }>) {
    await quiet(false);
    const before = await everything();
    const { code, said } = await attempt();

    expect({ code, said }).toEqual({ code: 1, said });
    expect(await everything()).toEqual(before);
    return said;
  }
  const asProcess = async (who: Who, args: readonly string[]) => {
    const { code, stdout, stderr } = await cli(who, args);
    return { code, said: stdout + stderr };
  };

  it('to clear an event whose attempt may still run', async () => {
    ledger.hold();
    const running = deliver('shop', ofShop('msg_running', 'booked'));
    await ledger.arrival();
    const clear = onStack('inbox', 'clear', 'shop', 'msg_running', '--reason', 'impatience', '--yes');

    const said = await refused(() => asProcess(operator, clear));

    expect(said).toMatch(/^oncehook: an attempt of it may still run, until .*Nothing was changed$/m);
    ledger.release();
    expect((await running).outcome).toBe('processed');
  });

  it('to clear an event that was changed after it was shown', async () => {
    ledger.status = 503;
    await deliver('shop', ofShop('msg_changed', 'booked'));
    ledger.status = 200;
    expect(await rowOf('msg_changed')).toMatchObject({ status: 'failed' });
    // Its redelivery comes between the look and the change.
    const use = operator.faults.use(
      faultRule({
        action: 'UpdateItem',
        fault: () => ({ kind: 'delay-before', wait: deliver('shop', ofShop('msg_changed', 'booked')) }),
      }),
    );

    const clear = onStack('inbox', 'clear', 'shop', 'msg_changed', '--reason', 'a test', '--yes');
    const { code, said } = await asProcess(operator, clear);
    use.end();

    expect(code).toBe(1);
    expect(said).toMatch(/^oncehook: the event has changed since it was shown, so nothing was done/m);
    expect(await rowOf('msg_changed')).toMatchObject({ status: 'processed' });
    expect(await rowOf('msg_changed')).not.toHaveProperty('history');
    expect(await entriesOf('msg_changed')).toBe(1);
  });

  it('to make a stuck message due again that somebody else has settled meanwhile', async () => {
    const id = 'shop#msg_settled#1';
    await owe(id, { state: 'stuck', attempts: 20 });
    const settle = () => tables.send(new DeleteCommand({ TableName: aws.tables['outbox'], Key: { id } }));
    const use = operator.faults.use(
      faultRule({ action: 'UpdateItem', fault: () => ({ kind: 'delay-before', wait: settle() }) }),
    );

    const { code, said } = await operate(operator, onStack('outbox', 'redrive', '--id', id));
    use.end();

    expect(code).toBe(2);
    expect(said).toContain(`${id}  left: it changed meanwhile`);
    const { Item: row } = await tables.send(new GetCommand({ TableName: aws.tables['outbox'], Key: { id } }));
    expect(row).toBeUndefined();
  });

  it.each([
    [['inbox', 'clear', 'shopp', 'msg_one', '--reason', 'a test', '--yes']],
    [['inbox', 'show', 'shopp', 'msg_one']],
    [['inbox', 'list', '--source', 'shopp']],
    [['stats', '--source', 'shopp']],
    [['secret', 'set', 'shopp']],
  ])('a source that nobody declared: %j', async (args) => {
    const said = await refused(() => operate(operator, onStack(...args), aSecret(3)));

    expect(said).toMatch(/no such source: there are counted, shop$/m);
  });

  it('a stack that is not there, and one that the policy is not for', async () => {
    const elsewhere = ['outbox', 'pending', '--stack', 'Oncehook-prod'];

    const asAnybody = await refused(() => asProcess(aws, elsewhere));
    const asOperator = await refused(() => asProcess(operator, elsewhere));

    expect(asAnybody).toMatch(/^oncehook: there is no stack Oncehook-prod in this account and Region/m);
    expect(asOperator).toMatch(
      /^oncehook: access denied: these credentials may not call cloudformation:DescribeStacks on stack Oncehook-prod$/m,
    );
  });

  it.each([
    [['dlq', 'discard', '--queue', 'outbox', '--all', '--reason', 'a test']],
    [['dlq', 'redrive', '--all', '--process-expired']],
    [['inbox', 'clear', 'counted', 'msg_one', '--reason', 'a test']],
    [['inbox', 'list', '--all']],
  ])('%j when nobody is there to say yes', async (args) => {
    await put(aws.queues['outboxDlq'], '{"account":"ada"}', owedAttributes('shop#msg_asked#1'));

    const said = await refused(() => operate(operator, onStack(...args)));

    expect(said).toMatch(/Nobody is here to ask: add --yes\. Nothing was done$/m);
  });

  it.each([
    [['inbox', 'show', 'shop', 'msg_nobody'], /the inbox has no such event of shop/],
    [['dlq', 'show', 'msg_nobody'], /no such message can be seen in the DLQ: msg_nobody/],
    [['dlq', 'redrive', '--id', 'msg_nobody'], /no such message can be seen in the DLQ: msg_nobody/],
    [['outbox', 'redrive', '--id', 'shop#msg_nobody#1'], /no such message is owed/],
    [['dlq', 'list', '--queue', 'deliveries'], /it has no deliveries queue/],
  ])('what is not there: %j', async (args, message) => {
    const said = await refused(() => operate(operator, onStack(...args)));

    expect(said).toMatch(message);
  });
});

describe('oncehook doctor', () => {
  it('finds nothing that fails, and sends its probes', async () => {
    const { code, stdout } = await cli(operator, onStack('doctor', '--json'));
    const findings = jsonLines({ stdout });

    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['probe of shop, signed']));
  });
});
