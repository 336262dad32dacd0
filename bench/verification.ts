/**
 * What verifying a delivery costs beside the HMAC that nobody can do without: a genuine body of 1 MiB through
 * `verifySignature` against `createHmac` over the same bytes. Budget: at most 2.00 of it.
 */
import { createHmac } from 'node:crypto';
import { epochMs, toEpochSeconds } from '../lambda/core/time.ts';
import { github, standardWebhooks, stripe } from '../lambda/oncehook.ts';
import { decodeSecret } from '../lambda/providers/secret-key.ts';
import { signDelivery } from '../lambda/providers/sign.ts';
import { verifySignature } from '../lambda/providers/signature.ts';
import { inTurns, median, report } from './round.ts';

const ROUNDS = 61;
const DELIVERIES_A_ROUND = 10;
const BODY_BYTES = 1024 * 1024;
const now = epochMs(Date.now());

const body = Buffer.alloc(BODY_BYTES, '{"id":"evt_1","type":"invoice.paid","amount":1250} ');

const variants: Record<string, () => Promise<number>> = {};

const timed = (work: () => void) => async (): Promise<number> => {
  const begun = performance.now();
  for (let n = 0; n < DELIVERIES_A_ROUND; n += 1) work();
  return (performance.now() - begun) / DELIVERIES_A_ROUND;
};

const SENDERS = {
  stripe: { scheme: stripe().scheme, secret: 'whsec_a_secret_of_the_bench' },
  github: { scheme: github().scheme, secret: 'a secret of the bench' },
  standardWebhooks: { scheme: standardWebhooks().scheme, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
} as const;

for (const [name, { scheme, secret }] of Object.entries(SENDERS)) {
  const headers = signDelivery(scheme, secret, { id: 'msg_1', timestamp: toEpochSeconds(now), body });
  const key = decodeSecret(scheme.secret, secret);
  if (key === undefined) throw new Error(`no key for ${name}`);
  variants[name] = timed(() => {
    const verdict = verifySignature(scheme, { headers, body }, [secret], now, undefined);
    if (verdict.kind !== 'verified') throw new Error(`${name} is not verified`);
  });
  variants[`${name}, bare`] = timed(() => {
    createHmac('sha256', key).update(body).digest();
  });
}

const times = await inTurns(ROUNDS, variants);
const warm = Math.floor(ROUNDS / 3);
const middle = (name: string): number => median((times[name] ?? []).slice(warm));
report(
  `Verifying a body of 1 MiB, median of ${ROUNDS - warm} rounds of ${DELIVERIES_A_ROUND}`,
  Object.keys(SENDERS).flatMap((name): [string, string][] => {
    const [own, bare] = [middle(name), middle(`${name}, bare`)];
    return [
      [name, `${own.toFixed(2)} ms, bare HMAC ${bare.toFixed(2)} ms`],
      [`${name}, ratio (budget 2.00)`, (own / bare).toFixed(2)],
    ];
  }),
);
