import { describe, expect, it } from 'vitest';
import {
  defineSources,
  github,
  gitlab,
  type Handler,
  hmac,
  hubspot,
  square,
  stripe,
} from '../../../lambda/oncehook.ts';

const handler: Handler<never> = async () => {};
const define = (name: string, definition: object) => defineSources({ [name]: definition } as never);
const resource = () => 'r';
const sequence = () => 1;
const source = { provider: stripe(), on: { 'invoice.paid': handler } };

describe('defineSources', () => {
  it('turns a plain handler into a rule', () => {
    expect(defineSources({ stripe: source }).get('stripe')?.rules.get('invoice.paid')).toEqual({ handle: handler });
  });

  it.each([
    ['sends again', {}, 'inline'],
    ['never sends again', { redelivers: false }, 'queued'],
    ['sends batches', { batch: '$' as const }, 'queued'],
    ['waits five seconds for an answer', { deadlineSeconds: 5 }, 'queued'],
    ['waits six', { deadlineSeconds: 6 }, 'inline'],
  ])('works, for a provider that %s, as suits it by default', (_case, options, process) => {
    const provider = hmac({ header: 'x-sig', id: '$.id', type: '$.type', redelivers: true, ...options });

    expect(define('s', { provider, on: source.on }).get('s')).toMatchObject({
      process,
      onFailure: 'own-retry',
      olderThanWindow: 'park',
    });
  });

  it.each(['a'.repeat(40), 'github-test', '1'])('takes the name %s', (name) => {
    expect(define(name, source).has(name)).toBe(true);
  });

  it.each<[string, string, object, RegExp]>([
    ['a name of 41 characters', 'a'.repeat(41), source, /1 to 40 of a-z, 0-9 and -/],
    ['a name with a capital', 'Stripe', source, /1 to 40 of a-z/],
    ['a name with the separator of keys', 'a#b', source, /1 to 40 of a-z/],
    ['an empty name', '', source, /1 to 40 of a-z/],
    ['no provider', 's', { on: source.on }, /provider is missing/],
    ['no event type', 's', { ...source, on: {} }, /no event type/],
    ['an option nobody knows', 's', { ...source, tolerance: 3 }, /unknown option tolerance; known are/],
    [
      'a tolerance of nothing',
      's',
      { ...source, toleranceSeconds: 0 },
      /toleranceSeconds is a whole number of at least 1/,
    ],
    ['a type without a handler', 's', { ...source, on: { a: {} } }, /"a" needs a handler/],
    [
      'a rule option nobody knows',
      's',
      { ...source, on: { a: { handle: handler, ordre: {} } } },
      /unknown option ordre/,
    ],
    ['a preset that was not called', 's', { ...source, provider: stripe }, /provider is what a preset returns/],
    [
      'a way to work that nobody knows',
      's',
      { ...source, process: 'later' },
      /process is 'inline' or 'queued', got "later"/,
    ],
    [
      'an answer to failures that nobody knows',
      's',
      { ...source, onFailure: 'drop' },
      /onFailure is 'own-retry' or 'ask-provider', got "drop"/,
    ],
    [
      'a fate of old events that nobody knows',
      's',
      { ...source, olderThanWindow: 'keep' },
      /olderThanWindow is 'park' or 'process' or 'drop', got "keep"/,
    ],
    [
      'inline work for a provider that never sends again',
      's',
      { provider: github(), on: { push: handler }, process: 'inline' },
      /process 'inline' would lose events: github never sends an event again/,
    ],
    [
      'asking a provider that was answered already',
      's',
      { ...source, process: 'queued', onFailure: 'ask-provider' },
      /onFailure 'ask-provider' needs process 'inline'/,
    ],
    [
      'asking a provider that is queued by default',
      's',
      { provider: github(), on: { push: handler }, onFailure: 'ask-provider' },
      /onFailure 'ask-provider' needs process 'inline'/,
    ],
    ['an id that is no function', 's', { ...source, id: '$.id' }, /id is a function of the event/],
    ...[
      ['an order that is no object', { order: 'sequence' }, /"a" needs order to be an object/],
      ['an order without a resource', { order: { sequence } }, /needs order.resource to be a function/],
      ['an order without a sequence', { order: { resource } }, /needs order.sequence to be a function/],
      ['a path for a resource', { order: { resource: '$.a', sequence } }, /needs order.resource to be a function/],
      ['a number for a sequence', { order: { resource, sequence: 1 } }, /needs order.sequence to be a function/],
      ['a tie nobody knows', { order: { resource, sequence, tie: 'keep' } }, /needs order.tie to be 'drop' or 'apply'/],
      ['an order option nobody knows', { order: { resource, sequence, ties: 'drop' } }, /unknown option order.ties/],
      ['a schema of no standard', { schema: { parse: () => ({}) } }, /needs schema to be a Standard Schema/],
      ['a schema that cannot validate', { schema: { '~standard': {} } }, /needs schema to be a Standard Schema/],
      ['a schema that is nothing', { schema: null }, /needs schema to be a Standard Schema/],
    ].map(([what, rule, message]): [string, string, object, RegExp] => [
      what as string,
      's',
      { ...source, on: { a: { handle: handler, ...(rule as object) } } },
      message as RegExp,
    ]),
  ])('refuses %s', (_case, name, definition, message) => {
    expect(() => define(name, definition)).toThrow(message);
  });

  it.each<[string, object]>([
    ['an order', { order: { resource, sequence } }],
    ['an order that says what to do with a tie', { order: { resource, sequence, tie: 'apply' } }],
    ['a schema', { schema: { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } }],
    ['a schema that is a function', { schema: Object.assign(() => {}, { '~standard': { validate: () => ({}) } }) }],
  ])('takes a rule with %s', (_case, rule) => {
    const defined = define('s', { ...source, on: { a: { handle: handler, ...rule } } });

    expect(defined.get('s')?.rules.get('a')).toEqual({ handle: handler, ...rule });
  });

  it('refuses to define nothing', () => {
    expect(() => defineSources({})).toThrow(/no source is defined/);
  });

  it('names every problem at once', () => {
    expect(() => define('S', { on: {} })).toThrow(/1 to 40.*provider is missing.*no event type/s);
  });
});

describe('the public URL of a source', () => {
  const on = { x: handler };
  const url = 'https://hooks.example/in?shop=7';

  it.each([
    ['Square', square()],
    ['HubSpot v3', hubspot()],
    ['HubSpot v2', hubspot({ signature: 'v2' })],
  ])('is asked for by %s, which signs it', (_who, provider) => {
    expect(define('s', { provider, on, publicUrl: url }).get('s')?.publicUrl).toBe(url);
    expect(() => define('s', { provider, on })).toThrow(/publicUrl is missing: (square|hubspot) signs the URL/);
  });

  it.each([
    ['Stripe', stripe()],
    ['HubSpot v1', hubspot({ signature: 'v1' })],
    ['a secret token', gitlab({ proof: 'secret-token' })],
  ])('is refused where nothing is signed with it: %s', (_who, provider) => {
    expect(() => define('s', { provider, on, publicUrl: url })).toThrow(/publicUrl has no use: [a-z]+ signs no URL/);
  });

  it.each([
    '',
    'hooks.example/in',
    '/in',
    'ftp://hooks.example/in',
    'https://hooks.example/in#a',
    'https://',
    ' https://hooks.example',
    7,
  ])('cannot be %j', (publicUrl) => {
    expect(() => define('s', { provider: square(), on, publicUrl })).toThrow(/publicUrl is an absolute https:\/\//);
  });
});

describe('the event types that a preset knows', () => {
  it('limit nothing, and leave the handlers typed', () => {
    const typed: Handler<{ readonly amount: number }> = async () => {};

    const sources = defineSources({
      stripe: {
        provider: stripe(),
        on: {
          'invoice.paid': {
            handle: typed,
            order: { resource: () => 'r', sequence: ({ body }) => body.amount },
          },
          'a.type.of.next.year': typed,
        },
      },
    });

    expect([...(sources.get('stripe')?.rules.keys() ?? [])]).toEqual(['invoice.paid', 'a.type.of.next.year']);
  });

  it('do not make a handler of what is none', () => {
    // @ts-expect-error the compiler must refuse a number as a handler too: the types that an editor offers ask for nothing
    expect(() => defineSources({ stripe: { provider: stripe(), on: { 'invoice.paid': 5 } } })).toThrow(
      /needs a handler/,
    );
  });
});
