import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { epochMs } from '../../../lambda/core/time.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';
import { identify } from '../../../lambda/receive/identify.ts';
import { closeServer, LOOPBACK, listenOnLoopback } from '../../../local/http/loopback-server.ts';
import { sources } from '../../support/three-sources.ts';

/** What came over HTTP. */
export interface Delivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Answers instead of the receiver; `undefined` leaves it to it. */
export type Interfere = (
  nth: number,
) =>
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | undefined;

export const SECRETS = {
  stripe: `whsec_${'5'.repeat(32)}`,
  github: 'a github secret of twenty-eight',
  bazaar: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
} as const;

/**
 * A receiver over HTTP without a store: what the engine and the provider's own SDK both verify is
 * `processed` the first time an id is seen, and `duplicate` after that.
 */
export async function startReceiver(interfere: Interfere = () => undefined) {
  const deliveries: Delivery[] = [];
  const seen = new Set<string>();

  const server = createServer(async (request, response) => {
    const delivery: Delivery = {
      path: request.url ?? '',
      headers: textHeaders(request.headers),
      body: await buffer(request),
    };
    deliveries.push(delivery);
    const instead = interfere(deliveries.length);
    const { status, headers = {}, body } = instead ?? (await answer(delivery, seen));
    response.writeHead(status, headers).end(body);
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://${LOOPBACK}:${port}`, deliveries, close: () => closeServer(server) };
}

export type ReceiverServer = Awaited<ReturnType<typeof startReceiver>>;

async function answer({ path, headers, body }: Delivery, seen: Set<string>) {
  const source = sources.get(path.replace('/webhooks/', ''));
  if (source === undefined) return { status: 404, headers: {}, body: '{"message":"Not Found"}' };
  const secret = SECRETS[source.name as keyof typeof SECRETS];
  const { scheme } = source.provider;
  if (scheme.kind === 'code') throw new Error(`no SDK verifies ${source.name}`);
  const ours = verifySignature(scheme, { headers, body }, [secret], epochMs(Date.now()));
  const theirs = await verifyWithSdk(source.name, headers, body);
  if ((ours.kind === 'verified') !== theirs) throw new Error(`engine and SDK disagree on ${source.name}`);
  if (!theirs) return reply(401, 'unauthenticated');

  const request = { method: 'POST', source: source.name, query: '', headers, body };
  const identified = identify(source, { ...request, receivedAt: epochMs(Date.now()) }, body);
  if (identified.kind !== 'identified') return reply(400, 'malformed');
  const [item] = identified.items;
  if (item?.kind !== 'event') return reply(400, 'malformed');
  const { eventId } = item.event;
  const outcome = seen.has(eventId) ? 'duplicate' : 'processed';
  seen.add(eventId);
  return reply(200, outcome, eventId);
}

const reply = (status: number, outcome: string, eventId?: string) => ({
  status,
  headers: { 'content-type': 'application/json', 'x-oncehook-outcome': outcome },
  body: JSON.stringify({ outcome, ...(eventId !== undefined && { eventId }) }),
});

async function verifyWithSdk(source: string, headers: Readonly<Record<string, string>>, body: Buffer) {
  try {
    switch (source) {
      case 'stripe':
        return (
          new Stripe('sk_test_unused').webhooks.signature?.verifyHeader(
            body,
            headers['stripe-signature'] ?? '',
            SECRETS.stripe,
            300,
          ) === true
        );
      case 'github':
        return await verifyGithub(SECRETS.github, body.toString(), headers['x-hub-signature-256'] ?? '');
      default:
        new Webhook(SECRETS.bazaar).verify(body, { ...headers });
        return true;
    }
  } catch {
    return false;
  }
}

const textHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]),
  );
