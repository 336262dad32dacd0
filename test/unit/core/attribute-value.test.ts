import { marshall, NumberValueImpl, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeOfItem } from '../../../lambda/core/attribute-size.ts';
import { decodeItem, decodeValue, encodeItem, encodeValue } from '../../../lambda/core/attribute-value.ts';
import { itemSize } from '../../support/memory-dynamodb/item-size.ts';

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 'x');

/** Values that both the SDK's marshaller and ours take. */
const plain = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-100, max: 1e15 }).filter((n) => !Number.isInteger(n)),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('a value in DynamoDB’s form', () => {
  it('is what the SDK makes of it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), plain), (item) => {
        expect(encodeItem(item)).toEqual(marshall(item));
      }),
    );
  });

  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), plain), (item) => {
        expect(decodeItem(encodeItem(item))).toEqual(item);
        expect(decodeItem(encodeItem(item))).toEqual(unmarshall(marshall(item)));
      }),
    );
  });

  it('counts the bytes that DynamoDB counts, or a little more', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), plain), (item) => {
        const encoded = encodeItem(item);

        expect(sizeOfItem(encoded)).toBeGreaterThanOrEqual(itemSize(encoded as never) - 3 * Object.keys(item).length);
      }),
    );
  });

  it.each([
    [9_007_199_254_740_991, { N: '9007199254740991' }],
    [9_007_199_254_740_993n, { N: '9007199254740993' }],
    [10n ** 38n - 1n, { N: '9'.repeat(38) }],
    [10n ** 100n, { N: `1${'0'.repeat(100)}` }],
    [NumberValueImpl.from('0.12345678901234567890'), { N: '0.12345678901234567890' }],
    [new Set([1, 2n]), { NS: ['1', '2'] }],
    [new Set([new Uint8Array([1])]), { BS: [new Uint8Array([1])] }],
    [Object.create(null), { M: {} }],
    [JSON.parse('{"constructor":{"name":"Set"}}'), { M: { constructor: { M: { name: { S: 'Set' } } } } }],
  ])('of %s is exact', (value, expected) => {
    expect(encodeValue(value, 'v')).toEqual(expected);
  });

  it.each([
    [undefined, 'v is undefined'],
    [() => 1, 'v is a function'],
    [Symbol('x'), 'v is a symbol'],
    [Number.NaN, 'v is NaN'],
    [Number.POSITIVE_INFINITY, 'v is Infinity'],
    [2 ** 53, 'v is an integer beyond 2^53'],
    [1e-131, 'v is outside of what a number can be'],
    [10n ** 38n + 1n, 'v has 39 digits; at most 38 are kept'],
    ['\ud800', 'v is not well-formed Unicode'],
    [{ a: ['\udc00'] }, 'v.a[0] is not well-formed Unicode'],
    [new Date(0), 'v is a Date'],
    [new Map(), 'v is a Map'],
    [Object.create(Object.create(null)), 'v is an object of a class'],
    [new Array(2).fill(1, 0, 1), 'v[1] is undefined'],
    [new Set(), 'v is a Set that is empty'],
    [new Set([1, 'a']), 'v is a Set that is empty or not of one kind'],
    [JSON.parse('{"__proto__":1}'), 'v.__proto__ is not a name'],
    [nested(32), `${'v'}${'.a'.repeat(31)} is nested deeper than 31 levels`],
  ])('of %s does not exist, and the path is named', (value, message) => {
    expect(() => encodeValue(value, 'v')).toThrow(message);
  });

  it('may be nested in 31 levels', () => {
    expect(decodeValue(encodeValue(nested(31), 'v'))).toEqual(nested(31));
  });
});
