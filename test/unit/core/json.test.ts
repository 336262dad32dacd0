import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../../lambda/core/json.ts';

describe('JSON that keeps digits', () => {
  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['123456789012345678901234567890', 123_456_789_012_345_678_901_234_567_890n],
    ['12345678901234567.5', 12_345_678_901_234_568],
    ['1e20', 1e20],
    ['0.1', 0.1],
  ])('reads %s as %s', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  it('finds them at any depth', () => {
    expect(parseJson('{"a":[{"b":9007199254740993}],"c":1}')).toEqual({ a: [{ b: 9_007_199_254_740_993n }], c: 1 });
  });

  it('leaves digits in texts alone', () => {
    expect(parseJson('"9007199254740993"')).toBe('9007199254740993');
  });

  it('writes back what it read, digit by digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), (integer) => {
        expect(stringifyJson(parseJson(`{"n":${integer}}`))).toBe(`{"n":${integer}}`);
      }),
    );
  });

  it('reads as JSON.parse does where no integer is large', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it.each(['', '{', '01', 'undefined', '{"a":1,}'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});
