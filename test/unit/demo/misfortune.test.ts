import { describe, expect, it } from 'vitest';
import { createChance } from '../../../demo/chance.ts';
import { createDeck } from '../../../demo/deck.ts';
import { createMisfortune } from '../../../demo/misfortune.ts';
import type { PlannedEvent } from '../../../demo/plan.ts';
import { aCall } from '../local/faults/a-call.ts';

const event = (wishes: Partial<PlannedEvent>): PlannedEvent => ({
  source: 'bazaar',
  id: 'slip_1',
  account: 'merchant-1',
  amount: 1,
  copies: 1,
  failures: 0,
  refusals: 0,
  crash: undefined,
  zombie: false,
  ...wishes,
});
const misfortuneOf = (wishes: Partial<PlannedEvent>) => createMisfortune([event(wishes)], createChance('seed'), 100);

const call = (action: string, input: object, invocationId = 'first') =>
  aCall({ service: action.includes('Message') ? 'sqs' : 'dynamodb', action, input: { ...input }, invocationId });
const Key = { id: { S: 'bazaar#slip_1' } };
const step = call('UpdateItem', { Key, UpdateExpression: 'SET steps.#step = :step' });
const release = call('UpdateItem', { Key, UpdateExpression: 'SET lastError = :error' });
const MessageBody = JSON.stringify({ v: 1, source: 'bazaar', eventId: 'slip_1' });
const batch = call('SendMessageBatch', { Entries: [{ Id: '0', MessageBody }] });

describe('the misfortune of a proof run', () => {
  it('kills after a failure and before the queueing, and leaves a copy that is queued alone', () => {
    const { source, crashes } = misfortuneOf({ crash: 'after a failure, before queueing', failures: 1 });

    expect(source(call('SendMessage', { MessageBody }, 'a copy'))).toBeUndefined();
    expect(source(step)).toBeUndefined();
    expect(source(call('SendMessage', { MessageBody }))).toEqual({ kind: 'kill-before' });
    expect(source(call('SendMessage', { MessageBody }))).toBeUndefined();
    expect([...crashes]).toEqual([['after a failure, before queueing', 1]]);
  });

  it('kills when the event is queued and the claim not given back', () => {
    const { source } = misfortuneOf({ crash: 'queued, before the release', failures: 1 });

    expect(source(call('SendMessage', { MessageBody }))).toBeUndefined();
    expect(source(release)).toEqual({ kind: 'kill-before' });
  });

  it('has the events queue refuse an event as often as planned, in a batch also in part', () => {
    const { source, refusals } = misfortuneOf({ refusals: 2 });

    expect(source(batch)).toEqual({ kind: 'partial', failed: [0] });
    expect(source(batch)).toEqual({ kind: 'refuse', code: 'ServiceUnavailable' });
    expect(refusals()).toBe(2);
  });

  it('holds every sending of the first commit of a zombie, and no other commit', () => {
    const { source, zombies } = misfortuneOf({ zombie: true });
    const commit = (ClientRequestToken: string) =>
      source(call('TransactWriteItems', { ClientRequestToken, TransactItems: [{ Update: { Key } }] }));

    expect(commit('one')).toEqual({ kind: 'delay-before', wait: 100 });
    expect(commit('one')).toEqual({ kind: 'delay-before', wait: 100 });
    expect(commit('two')).toBeUndefined();
    expect(zombies()).toBe(1);
  });

  it('has nothing to do with events that were not planned', () => {
    const { source } = misfortuneOf({ crash: 'before the claim' });

    expect(source(call('PutItem', { Item: { id: { S: 'bazaar#slip_2' } } }))).toBeUndefined();
  });
});

describe('a deck', () => {
  it('deals every card once before any twice, in an order of the seed', () => {
    const cards = ['a', 'b', 'c', 'd', 'e'];
    const deal = (seed: string) => {
      const next = createDeck(createChance(seed), 'deck', cards);
      return cards.concat(cards).map(() => next());
    };

    expect(deal('seed').slice(0, 5).toSorted()).toEqual(cards);
    expect(deal('seed').slice(5).toSorted()).toEqual(cards);
    expect(deal('seed')).toEqual(deal('seed'));
    expect(deal('seed')).not.toEqual(deal('other'));
  });
});
