import { describe, expect, it } from 'vitest';
import { summarise } from '../../../lambda/core/outcome.ts';

const strange = (changes: object): Error => Object.assign(new Error('x'), changes);

describe('what is kept of an error', () => {
  it.each<[string, unknown, { readonly name: string; readonly message: string }]>([
    ['an ordinary one', new TypeError('boom'), { name: 'TypeError', message: 'boom' }],
    ['one whose message is an object', strange({ message: { a: 1 } }), { name: 'Error', message: '' }],
    ['one without a message', strange({ message: undefined }), { name: 'Error', message: '' }],
    ['one without a name', strange({ name: undefined }), { name: 'object', message: 'x' }],
    ['one whose name is a symbol', strange({ name: Symbol('n') }), { name: 'object', message: 'x' }],
    ['a text', 'boom', { name: 'string', message: 'something that is not an Error was thrown' }],
  ])('is name and message as texts: %s', (_case, error, summary) => {
    expect(summarise(error)).toEqual(summary);
  });

  it.each([
    ['x'.repeat(300), 300],
    ['x'.repeat(301), 300],
    [`${'x'.repeat(299)}🚢`, 299],
    [`${'x'.repeat(298)}🚢`, 300],
  ])('is cut at 300 characters and never inside one', (message, length) => {
    const summary = summarise(strange({ name: message, message }));

    expect([summary.name.length, summary.message.length]).toEqual([length, length]);
  });
});
