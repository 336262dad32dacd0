import { describe, expect, it } from 'vitest';
import { toEpochSeconds } from '../../../lambda/core/time.ts';
import { defineSources, hubspot, square } from '../../../lambda/oncehook.ts';
import { signDelivery } from '../../../lambda/providers/sign.ts';
import { T0 } from '../../support/manual-clock.ts';
import { createReceiver } from '../../support/receiver.ts';

const SQUARE_URL = 'https://hooks.example/square';
const HUBSPOT_URL = 'https://hooks.example/hubspot?tenant=7';
const SECRET = 'a secret of some length';
const ON = { 'payment.updated': async () => {}, 'contact.creation': async () => {} };

const sources = defineSources({
  square: { provider: square(), publicUrl: SQUARE_URL, on: ON },
  hubspot: { provider: hubspot(), publicUrl: HUBSPOT_URL, on: ON },
});

const BODIES = {
  square: '{"event_id":"e1","type":"payment.updated"}',
  hubspot: `[{"eventId":1,"subscriptionId":2,"portalId":3,"occurredAt":${T0},"subscriptionType":"contact.creation"}]`,
};

async function send(source: 'square' | 'hubspot', signedUrl: string, rawQueryString = '') {
  const receiver = await createReceiver(sources, { square: [SECRET], hubspot: [SECRET] });
  const body = BODIES[source];
  const scheme = source === 'square' ? square().scheme : hubspot().scheme;
  const timestamp = toEpochSeconds(receiver.clock.now());
  const headers = signDelivery(scheme, SECRET, { id: 'x', timestamp, body: Buffer.from(body), url: signedUrl });
  const answer = await receiver.send(source, { body, headers, event: { rawQueryString } });
  return answer.statusCode;
}

describe('a signature over the URL', () => {
  it('is checked against the configured one, whatever host and path the request came to', async () => {
    expect(await send('square', SQUARE_URL)).toBe(200);
    expect(await send('square', 'https://abc123.execute-api.us-east-1.amazonaws.com/webhooks/square')).toBe(401);
  });

  it('covers the query that was sent, where the configuration names none', async () => {
    expect(await send('square', `${SQUARE_URL}?shop=7`, 'shop=7')).toBe(200);
    expect(await send('square', SQUARE_URL, 'shop=7')).toBe(401);
  });

  it('covers the query of the configuration, where it names one', async () => {
    expect(await send('hubspot', HUBSPOT_URL, 'tenant=7')).toBe(200);
    expect(await send('hubspot', HUBSPOT_URL, 'tenant=%37')).toBe(200);
    expect(await send('hubspot', 'https://hooks.example/hubspot?tenant=8', 'tenant=8')).toBe(401);
  });
});
