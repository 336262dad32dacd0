import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import { epochMs, toIso } from '../../../lambda/core/time.ts';
import {
  discord,
  dropbox,
  gitlab,
  hubspot,
  lemonSqueezy,
  linear,
  mailgun,
  meta,
  paddle,
  razorpay,
  sendgrid,
  shopify,
  slack,
  square,
  zoom,
} from '../../../lambda/oncehook.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';
import { identify } from '../../../lambda/receive/identify.ts';
import { readSignedPayload } from './golden.ts';

/** Of each event: its id, its types, when it happened. */
type Expected = readonly (readonly [string | RegExp, readonly string[], string | undefined])[];

const BODY_HASH = /^body_[0-9a-f]{64}$/;

const PAYLOADS: readonly (readonly [string, ProviderPreset, Expected])[] = [
  [
    'shopify-orders-paid.json',
    shopify(),
    [
      [
        '98880550-7158-44d4-b7cd-2c97c8a091b5|orders/paid|gid://shopify/Order/6200000000123',
        ['orders/paid'],
        '2025-10-09T08:53:19.912Z',
      ],
    ],
  ],
  [
    'slack-event-callback-message.json',
    slack(),
    [['Ev0TESTEVT01', ['message', 'event_callback'], '2025-10-09T08:53:20.000Z']],
  ],
  [
    'slack-app-rate-limited.json',
    slack(),
    [['app_rate_limited|T0TESTTEAM|1760000000', ['app_rate_limited'], undefined]],
  ],
  ['gitlab-push.json', gitlab(), [['f5e5f430-f57b-4e6e-9fac-d9128cd7232f', ['push'], undefined]]],
  [
    'gitlab-push.json',
    gitlab({ proof: 'secret-token' }),
    [['f5e5f430-f57b-4e6e-9fac-d9128cd7232f', ['push'], undefined]],
  ],
  [
    'square-payment-updated.json',
    square(),
    [['13b867cf-0000-4000-8000-000000000001', ['payment.updated'], '2025-10-09T08:53:20.037Z']],
  ],
  [
    'paddle-subscription-updated.json',
    paddle(),
    [['evt_01test000000000000000000001', ['subscription.updated'], '2025-10-09T08:53:19.127Z']],
  ],
  [
    'linear-issue-update.json',
    linear(),
    [
      [
        'update|Issue|aaaaaaaa-2222-4333-8444-555555555555|2025-10-09T08:53:19.800Z',
        ['Issue.update', 'Issue'],
        '2025-10-09T08:53:19.900Z',
      ],
    ],
  ],
  [
    'hubspot-batch.json',
    hubspot(),
    [
      ['44556677|700001|3100000001|1759999998123|15151', ['contact.creation'], '2025-10-09T08:53:18.123Z'],
      ['44556677|700002|3100000002|1759999998200|15151', ['contact.propertyChange'], '2025-10-09T08:53:18.200Z'],
    ],
  ],
  [
    'lemonsqueezy-order-created.json',
    lemonSqueezy(),
    [['order_created|2712001|2025-10-09T08:53:20.000000Z', ['order_created'], '2025-10-09T08:53:20.000Z']],
  ],
  [
    'razorpay-payment-captured.json',
    razorpay(),
    [['evtTEST00000001', ['payment.captured'], '2025-10-09T08:53:20.000Z']],
  ],
  ['zoom-meeting-ended.json', zoom(), [[BODY_HASH, ['meeting.ended'], '2025-10-09T08:53:20.123Z']]],
  [
    'meta-whatsapp-message.json',
    meta(),
    [['wamid.TESTAAAA0001==', ['messages.text', 'messages'], '2025-10-09T08:53:20.000Z']],
  ],
  [
    'meta-whatsapp-status.json',
    meta(),
    [['wamid.TESTBBBB0002==|delivered', ['messages.delivered', 'messages'], '2025-10-09T08:53:23.000Z']],
  ],
  [
    'mailgun-delivered.json',
    mailgun(),
    [['0123456789abcdef0123456789abcdef0123456789abcdef01', ['delivered'], '2025-10-09T08:53:19.500Z']],
  ],
  ['discord-webhook-event.json', discord(), [[BODY_HASH, ['APPLICATION_AUTHORIZED'], '2025-10-09T08:53:20.000Z']]],
  [
    'sendgrid-batch.json',
    sendgrid(),
    [
      ['cHJvY2Vzc2VkLXRlc3QtMDAwMQ', ['processed'], '2025-10-09T08:53:10.000Z'],
      ['ZGVsaXZlcmVkLXRlc3QtMDAwMg', ['delivered'], '2025-10-09T08:53:13.000Z'],
      ['Ym91bmNlLXRlc3QtMDAwMw', ['bounce'], '2025-10-09T08:53:15.000Z'],
      ['b3Blbi10ZXN0LTAwMDQ', ['open'], '2025-10-09T08:53:19.000Z'],
    ],
  ],
];

const identified = (provider: ProviderPreset, headers: Readonly<Record<string, string>>, body: Uint8Array) => {
  const definition = { provider, on: { x: async () => {} } };
  const urls = ['square', 'hubspot'].includes(provider.name) ? { publicUrl: 'https://hooks.example/in' } : {};
  const source = defineSources({ s: { ...definition, ...urls } }).get('s');
  if (source === undefined) throw new Error('no source');
  const request = { method: 'POST', source: 's', query: '', headers, body, receivedAt: epochMs(1_760_000_000_000) };
  return identify(source, request, body);
};

describe('the events of a payload on file', () => {
  it.each(PAYLOADS)('%s', (file, provider, expected) => {
    const { headers, body } = readSignedPayload(file);

    const result = identified(provider, headers, body);

    const events = result.kind === 'identified' ? result.items : [];
    expect(events).toEqual(
      expected.map(([id, types, at]) => ({
        kind: 'event',
        event: expect.objectContaining({
          eventId: typeof id === 'string' ? id : expect.stringMatching(id),
          types,
          occurredAt: at === undefined ? undefined : Date.parse(at),
        }),
      })),
    );
  });
});

describe('events of several messages in one WhatsApp change', () => {
  const change = (value: object) => ({ field: 'messages', value: { metadata: { phone_number_id: '2' }, ...value } });
  const message = (id: string) => ({ id, type: 'text', timestamp: '1760000000' });
  const status = (id: string, state: string) => ({ id, status: state, timestamp: '1760000001' });
  const namesIn = (...changes: readonly object[]) => {
    const result = identified(meta(), {}, Buffer.from(JSON.stringify({ entry: [{ id: '1', changes }] })));
    return result.kind === 'identified'
      ? result.items.map((item) => (item.kind === 'event' ? item.event.eventId : item.reason))
      : result.kind;
  };

  it('are as many as there are messages and statuses, and have one name however they are grouped', () => {
    const messages = [message('m1'), message('m2')];
    const statuses = [status('m0', 'sent'), status('m0', 'read')];

    expect(namesIn(change({ messages, statuses }))).toEqual(['m1', 'm2', 'm0|sent', 'm0|read']);
    expect(namesIn(change({ messages: [message('m2')] }), change({ statuses }))).toEqual(['m2', 'm0|sent', 'm0|read']);
  });

  it('each have the change around them with that one message alone', () => {
    const body = { entry: [{ changes: [change({ messages: [message('m1'), message('m2')], statuses: [] })] }] };

    const result = identified(meta(), {}, Buffer.from(JSON.stringify(body)));

    const bodies =
      result.kind === 'identified' ? result.items.map((item) => item.kind === 'event' && item.event.body) : [];
    expect(bodies).toEqual([
      change({ messages: [message('m1')], statuses: [] }),
      change({ messages: [message('m2')], statuses: [] }),
    ]);
  });

  it('that is neither is one event, named by the delivery and its place', () => {
    expect(namesIn(change({}), { field: 'account_update', value: { event: 'VERIFIED' } })).toEqual([
      expect.stringMatching(/^body_[0-9a-f]{64}_0$/),
      expect.stringMatching(/^body_[0-9a-f]{64}_1$/),
    ]);
  });

  it.each(['{}', '{"entry":{}}', '{"entry":[{"messaging":[]}]}', '[]'])('are not looked for in %s', (text) => {
    const result = identified(meta(), {}, Buffer.from(text));

    expect(result).toEqual({ kind: 'malformed', reason: 'the body has no list of events' });
  });
});

it('the parts of an id are joined so that no other parts give the same', () => {
  const nameOf = (name: string, id: string) => {
    const body = { meta: { event_name: name }, data: { id, attributes: { updated_at: toIso(epochMs(1)) } } };
    const result = identified(lemonSqueezy(), {}, Buffer.from(JSON.stringify(body)));
    return result.kind === 'identified' && result.items[0]?.kind === 'event'
      ? result.items[0].event.eventId
      : undefined;
  };

  expect(nameOf('a|b', 'c')).toBe('a%7Cb|c|1970-01-01T00:00:00.001Z');
  expect(nameOf('a', 'b|c')).toBe('a|b%7Cc|1970-01-01T00:00:00.001Z');
  expect(nameOf('a%7Cb', 'c')).toBe('a%257Cb|c|1970-01-01T00:00:00.001Z');
});

it('every delivery of Dropbox is an event, because the next change of an account has the same body', () => {
  const provider = dropbox();
  const source = defineSources({ s: { provider, on: { changes: async () => {} } } }).get('s');
  if (source === undefined) throw new Error('no source');
  const body = Buffer.from('{"list_folder":{"accounts":["dbid:AAsample"]}}');
  const eventAt = (ms: number) => {
    const request = { method: 'POST', source: 's', query: '', headers: {}, body, receivedAt: epochMs(ms) };
    const result = identify(source, request, body);
    return result.kind === 'identified' && result.items[0]?.kind === 'event' ? result.items[0].event : undefined;
  };

  expect(eventAt(1_760_000_000_000)?.types).toEqual(['changes']);
  expect(eventAt(1_760_000_000_000)?.eventId).toBe(eventAt(1_760_000_000_000)?.eventId);
  expect(eventAt(1_760_000_000_001)?.eventId).not.toBe(eventAt(1_760_000_000_000)?.eventId);
});
