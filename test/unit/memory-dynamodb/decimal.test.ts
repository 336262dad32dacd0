import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  negateDecimal,
  parseDecimal,
} from '../../support/memory-dynamodb/decimal.ts';

const anInteger = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n });
const add = (left: string, right: string): string =>
  formatDecimal(addDecimals(parseDecimal(left), parseDecimal(right)));

describe('a DynamoDB number', () => {
  it.for([
    ['0', '0'],
    ['-0', '0'],
    ['007.50', '7.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e5', '100000'],
    ['-12E-3', '-0.012'],
    ['1.20e1', '12'],
  ] as const)('%s is returned as %s', ([given, returned]) => {
    expect(formatDecimal(parseDecimal(given))).toBe(returned);
  });

  it('adds, negates and compares whole numbers as big integers do', () => {
    fc.assert(
      fc.property(anInteger, anInteger, (a, b) => {
        const [left, right] = [parseDecimal(a.toString()), parseDecimal(b.toString())];

        expect(formatDecimal(addDecimals(left, right))).toBe((a + b).toString());
        expect(formatDecimal(negateDecimal(left))).toBe((-a).toString());
        expect(Math.sign(compareDecimals(left, right))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it('adds exactly where floating point does not', () => {
    expect(add('0.1', '0.2')).toBe('0.3');
    expect(add('9007199254740993', '1')).toBe('9007199254740994');
    expect(add('1e-20', '1')).toBe('1.00000000000000000001');
  });

  it('has at most 38 significant digits', () => {
    expect(formatDecimal(parseDecimal('9'.repeat(38)))).toBe('9'.repeat(38));
    expect(() => parseDecimal('9'.repeat(39))).toThrow('more than 38 significant digits');
    expect(add('9'.repeat(38), '0')).toBe('9'.repeat(38));
    expect(() => add('9'.repeat(38), '0.1')).toThrow('more than 38 significant digits');
  });

  it('does not count zeros at either end as digits', () => {
    expect(formatDecimal(parseDecimal(`0.00${'1'.repeat(38)}00`))).toBe(`0.00${'1'.repeat(38)}`);
  });

  it('ranges from 1E-130 to below 1E+126 in magnitude', () => {
    expect(compareDecimals(parseDecimal('9.99e125'), parseDecimal('0'))).toBe(1);
    expect(() => parseDecimal('1e126')).toThrow('Number overflow');
    expect(compareDecimals(parseDecimal('-1e-130'), parseDecimal('0'))).toBe(-1);
    expect(() => parseDecimal('-9.9e-131')).toThrow('Number underflow');
  });

  it.for(['', ' ', '1 ', 'abc', '1,5', '1_0', '0x1', '--1', '1e', '.', 'NaN', 'Infinity'])('is not "%s"', (text) => {
    expect(() => parseDecimal(text)).toThrow('cannot be converted to a numeric value');
  });
});
