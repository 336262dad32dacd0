import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { github, type Handler, hmac, standardWebhooks, stripe } from '../../../lambda/oncehook.ts';
import { sdkError } from '../../support/protocol.ts';
import { createReceiver } from '../../support/receiver.ts';

/** What the handlers were given since the receiver was made. */
export const handled: {
  body: unknown;
  id: string;
  type: string;
  raw: string;
  headers: unknown;
  occurredAt: string | undefined;
}[] = [];
const note: Handler<never> = async (event, work) => {
  handled.push({
    body: event.body,
    id: event.id,
    type: event.type,
    raw: Buffer.from(event.rawBody).toString('base64'),
    headers: event.headers,
    occurredAt: event.occurredAt,
  });
  work.emit('noted', { id: event.id });
};
const fail: Handler<never> = async () => {
  throw new Error('boom');
};

/** A sender with an HMAC of the body. */
export const SHOP = {
  header: 'X-Signature',
  prefix: 'sha256=',
  id: '$.id',
  type: '$.type',
  redelivers: true,
} as const;

const sources = defineSources({
  stripe: { provider: stripe(), on: { 'invoice.paid': note } },
  github: { provider: github(), on: { push: note, issues: note } },
  bazaar: { provider: standardWebhooks(), on: { note } },
  plain: { provider: hmac(SHOP), on: { note } },
  batch: { provider: hmac({ ...SHOP, batch: '$' }), on: { note, fail }, process: 'inline', onFailure: 'ask-provider' },
  asking: { provider: hmac(SHOP), on: { fail }, onFailure: 'ask-provider' },
  inflated: { provider: hmac({ ...SHOP, signs: 'inflated' }), on: { note } },
  timed: { provider: hmac({ ...SHOP, eventTime: { from: '$.at', unit: 's' } }), on: { note } },
  'batch-twins': {
    provider: hmac({ ...SHOP, batch: '$' }),
    on: { note },
    process: 'inline',
    id: (event) => (event.body as { object: { name: string } }).object.name,
  },
  quiet: { provider: hmac({ ...SHOP, successStatus: 204 }), on: { note } },
  twins: {
    provider: hmac(SHOP),
    on: { note },
    id: (event) => `${event.type}:${(event.body as { object: string }).object}`,
  },
});
const secrets = {
  stripe: ['whsec_test-secret-1'],
  github: ['test-secret-1', 'test-secret-0'],
  bazaar: ['whsec_c3RhbmRhcmQtd2ViaG9va3MtZGVtby1rZXktMzJieXQ='],
  plain: ['test-secret-1'],
  batch: ['test-secret-1'],
  asking: ['test-secret-1'],
  inflated: ['test-secret-1'],
  timed: ['test-secret-1'],
  'batch-twins': ['test-secret-1'],
  quiet: ['test-secret-1'],
  twins: ['test-secret-1'],
};

/** A receiver whose handlers have seen nothing yet. */
export const make = async () => {
  handled.length = 0;
  return createReceiver(sources, secrets);
};
/** Secrets Manager’s own failure. */
export const outage = sdkError('InternalServiceError', { $fault: 'server' });
/** The body of an event. */
export const event = (id: string, more: object = {}) => JSON.stringify({ id, type: 'note', ...more });
export const bodyOf = (answer: { readonly body: string }): unknown => JSON.parse(answer.body);
