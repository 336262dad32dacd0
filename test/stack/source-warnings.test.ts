import { describe, expect, it } from 'vitest';
import { defineSources } from '../../lambda/authoring/define-sources.ts';
import type { OrderRule, WebhookEvent } from '../../lambda/core/handler.ts';
import type { EventTime } from '../../lambda/providers/preset.ts';
import { stripe } from '../../lambda/providers/stripe.ts';
import { aPreset, aStack, someSources } from './a-stack.ts';

type Sequence = (event: WebhookEvent<Changed>) => number | bigint | string;

interface Changed {
  readonly created: number;
  readonly version: number;
  readonly data: { readonly object: { readonly created: number } };
}

const warningsOf = (sources: ReturnType<typeof someSources>, stage = 'dev'): readonly string[] =>
  aStack({ sources, context: { stage } })
    .stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning')
    .map(({ data }) => String(data));

describe('a source that leaves retries to its provider', () => {
  it('gets a warning, and no other does', () => {
    const on = { thing: async () => {} };
    const sources = defineSources({
      shop: { provider: aPreset(), on },
      repo: { provider: aPreset({ name: 'asked' }), on, onFailure: 'ask-provider' },
    });

    expect(warningsOf(sources)).toEqual([
      expect.stringMatching(
        /^Source "repo": with onFailure 'ask-provider' .* is then a promise of asked, for as long as it sends again/,
      ),
    ]);
  });

  it('gets none for a provider that never sends again but queues: we try again ourselves', () => {
    expect(warningsOf(someSources({ repo: aPreset({ redelivers: false }) }))).toEqual([]);
  });
});

describe('a source that takes test events alone', () => {
  const sources = (mode: 'test' | 'live' | 'both') =>
    defineSources({ stripe: { provider: stripe({ mode }), on: { thing: async () => {} } } });

  it.each([
    ['test', 'prod', [expect.stringContaining(`Say stripe({ mode: 'live' }) where it goes live`)]],
    ['test', 'dev', []],
    ['live', 'prod', []],
    ['both', 'prod', []],
  ] as const)('with mode %s in %s is warned of where real events are due', (mode, stage, warnings) => {
    expect(warningsOf(sources(mode), stage)).toEqual(warnings);
  });
});

describe('an order by a time in whole seconds', () => {
  const inSeconds: EventTime = { from: { json: ['created'] }, unit: 's' };

  function warningsOfOrder(sequence: Sequence, eventTime: EventTime, tie?: OrderRule<Changed>['tie']) {
    const order = { resource: () => 'a', sequence, ...(tie === undefined ? {} : { tie }) };
    return warningsOf(
      defineSources<{ shop: { changed: Changed } }>({
        shop: { provider: aPreset({ eventTime }), on: { changed: { handle: async () => {}, order } } },
      }),
    );
  }

  it.each<[string, Sequence]>([
    ["is the provider's own time", (event) => event.body.created],
    ['is a field of that name further down', (event) => event.body.data.object.created],
    ['is computed from it', (event) => Number(event.body.created) * 1000],
    ['is the time of the event', (event) => event.occurredAt ?? ''],
  ])('gets a warning: it %s', (_how, sequence) => {
    expect(warningsOfOrder(sequence, inSeconds)).toEqual([
      expect.stringMatching(/^Source "shop", event type "changed": the sequence looks like .* tie: 'apply'/),
    ]);
  });

  it('gets none when a tie is applied', () => {
    expect(warningsOfOrder((event) => event.body.created, inSeconds, 'apply')).toEqual([]);
  });

  it('gets none when it is a number of another kind', () => {
    expect(warningsOfOrder((event) => event.body.version, inSeconds)).toEqual([]);
  });

  it('gets none when the provider writes milliseconds', () => {
    expect(warningsOfOrder((event) => event.body.created, { ...inSeconds, unit: 'ms' })).toEqual([]);
  });

  it('gets none, and stops no synth, when it cannot be told', () => {
    const throws: Sequence = (event) => {
      if (event.body.created) throw new Error('not an event');
      return 0;
    };

    expect(warningsOfOrder(throws, inSeconds)).toEqual([]);
  });
});
