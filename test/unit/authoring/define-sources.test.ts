import { describe, expect, it } from 'vitest';
import { defineSources, type Handler, stripe } from '../../../lambda/oncehook.ts';

const handler: Handler<never> = async () => {};
const define = (name: string, definition: object) => defineSources({ [name]: definition } as never);
const source = { provider: stripe(), on: { 'invoice.paid': handler } };

describe('defineSources', () => {
  it('turns a plain handler into a rule', () => {
    expect(defineSources({ stripe: source }).get('stripe')?.rules.get('invoice.paid')).toEqual({ handle: handler });
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
  ])('refuses %s', (_case, name, definition, message) => {
    expect(() => define(name, definition)).toThrow(message);
  });

  it('refuses to define nothing', () => {
    expect(() => defineSources({})).toThrow(/no source is defined/);
  });

  it('names every problem at once', () => {
    expect(() => define('S', { on: {} })).toThrow(/1 to 40.*provider is missing.*no event type/s);
  });
});
