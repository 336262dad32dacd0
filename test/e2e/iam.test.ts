import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultRule } from '../../local/faults/rule.ts';
import { covers } from '../../local/iam/grants.ts';
import type { LocalAws } from '../../local/local-aws.ts';
import { startLocalAws } from '../../local/start-local-aws.ts';
import { type Answer, type SignedDelivery, send, standardDelivery, stripeDelivery } from './official-senders.ts';

let aws: LocalAws;
let runs = 0;

beforeAll(async () => {
  aws = await startLocalAws({ stateFile: false });
});
afterAll(() => aws?.stop());

beforeEach(async () => {
  // The next instances are cold, and read the secret again.
  await aws.killInstances();
  aws.gateway.iam.forgetAccesses();
});

/** Everything that this stack's functions do, once: the answers in the order of the deliveries. */
async function useEverything(): Promise<readonly Answer[]> {
  runs += 1;
  const stripe = (id: string, amount: number) =>
    stripeDelivery(aws.secrets['stripe']?.[0] ?? '', `evt_${runs}_${id}`, 'cus_iam', amount);
  const bazaar = (id: string, sequence: number) =>
    standardDelivery(aws.secrets['bazaar']?.[0] ?? '', `msg_${runs}_${id}`, 'account.updated', {
      account: `shop_${runs}`,
      plan: 'gold',
      sequence,
    });

  const credited = stripe('credited', 5);
  return [
    await send(aws.apiUrl, 'stripe', credited),
    await send(aws.apiUrl, 'stripe', credited),
    ...(await sendTwiceAtOnce('stripe', stripe('joined', 5))),
    await send(aws.apiUrl, 'stripe', stripe('fraction', 0.5)),
    await send(aws.apiUrl, 'bazaar', bazaar('first', 2)),
    await send(aws.apiUrl, 'bazaar', bazaar('late', 1)),
  ];
}

/** The copy comes while the first one's commit is under way, and so has to wait for it. */
async function sendTwiceAtOnce(source: string, delivery: SignedDelivery): Promise<readonly Answer[]> {
  const release = Promise.withResolvers<void>();
  const held = aws.gateway.faults.use(
    faultRule({ action: 'TransactWriteItems', fault: { kind: 'delay-before', wait: release.promise } }),
  );
  const committing = aws.gateway.calls.next(({ action }) => action === 'TransactWriteItems');
  const reading = aws.gateway.calls.next(({ action }) => action === 'GetItem');

  const first = send(aws.apiUrl, source, delivery);
  // Without a grant it may never get as far as the commit.
  await Promise.race([committing, first]);
  const copy = send(aws.apiUrl, source, delivery);
  await Promise.race([reading, copy]);
  release.resolve();
  held.end();
  return Promise.all([first, copy]);
}

const outcomes = (answers: readonly Answer[]) => answers.map(({ outcome }) => outcome);

const REFUSED = { status: 503, outcome: expect.any(String) };

describe('the functions on local AWS', () => {
  it('use every grant of their policies, and are refused nothing', async () => {
    const answers = await useEverything();
    await aws.logs.waitFor(({ fields }) => fields?.['eventId'] === `msg_${runs}_late`);

    expect(outcomes(answers)).toEqual([
      'processed',
      'duplicate',
      'processed',
      'duplicate',
      'failed',
      'processed',
      'superseded',
    ]);
    expect(aws.gateway.iam.denied).toEqual([]);
    expect(aws.gateway.iam.unusedGrants()).toEqual([]);
  });

  it('have a grant that nothing uses noticed', async () => {
    await send(aws.apiUrl, 'stripe', stripeDelivery(aws.secrets['stripe']?.[0] ?? '', 'evt_one', 'cus_iam', 5));

    expect(aws.gateway.iam.unusedGrants().map(({ action }) => action)).toEqual(
      expect.arrayContaining(['dynamodb:GetItem']),
    );
  });
});

describe('without one grant of its policy', () => {
  let giveBack: () => void = () => {};
  afterEach(() => giveBack());

  // Read from the running stack, so a new grant is tried without being written down here.
  it('each function is refused by name, action and resource, and its events are not acknowledged', async () => {
    const { iam } = aws.gateway;
    expect(iam.grants.length).toBeGreaterThan(0);

    for (const grant of iam.grants) {
      await aws.killInstances();
      iam.forgetAccesses();
      giveBack = iam.withhold(grant);

      const answers = await useEverything();
      const refused = () => iam.denied.filter((access) => covers(grant, access));
      // A log line crosses a pipe, and may come a moment after the answer.
      const message = `${JSON.stringify(grant)} is withheld, and nothing needs it`;
      await expect.poll(refused, { message, timeout: 5000 }).not.toEqual([]);
      giveBack();

      const { action, resource } = refused()[0] ?? grant;
      expect(aws.logs.entries).toContainEqual(
        expect.objectContaining({
          functionKey: grant.functionKey,
          from: 'platform',
          text: expect.stringContaining(`is not authorized to perform: ${action} on resource: ${resource}`),
        }),
      );
      // Lambda loses the lines of a function that may not write them, and goes on.
      if (!action.startsWith('logs:')) expect(answers, JSON.stringify(grant)).toContainEqual(REFUSED);
    }
  });
});
