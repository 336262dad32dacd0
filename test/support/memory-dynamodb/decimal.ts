import { validationException } from './errors.ts';

/** An exact decimal: `coefficient` × 10^`exponent`. The coefficient has no trailing zeros, so equal means identical. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html */
export const MAX_SIGNIFICANT_DIGITS = 38;
/** Largest power of ten of a number's first digit: 9.99…E+125. Same source. */
const MAX_MAGNITUDE = 125;
/** Smallest power of ten of a number's first digit: 1E-130. Same source. */
const MIN_MAGNITUDE = -130;

const NUMBER = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

const digitsOf = (coefficient: bigint): string => (coefficient < 0n ? -coefficient : coefficient).toString();

function normalize(coefficient: bigint, exponent: number): Decimal {
  if (coefficient === 0n) return { coefficient: 0n, exponent: 0 };
  const digits = coefficient.toString();
  const zeros = digits.length - digits.replace(/0+$/, '').length;
  return { coefficient: zeros === 0 ? coefficient : BigInt(digits.slice(0, -zeros)), exponent: exponent + zeros };
}

function checkRange(decimal: Decimal): Decimal {
  const digits = digitsOf(decimal.coefficient).length;
  const magnitude = decimal.exponent + digits - 1;
  if (decimal.coefficient === 0n) return decimal;
  if (magnitude > MAX_MAGNITUDE) {
    throw validationException(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (magnitude < MIN_MAGNITUDE) {
    throw validationException(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  if (digits > MAX_SIGNIFICANT_DIGITS) {
    throw validationException('Attempting to store more than 38 significant digits in a Number');
  }
  return decimal;
}

/**
 * Reads the text of a DynamoDB number.
 * @throws ValidationException when it is no number, has more than 38 significant digits, or is out of range.
 */
export function parseDecimal(text: string): Decimal {
  const match = NUMBER.exec(text);
  if (match === null) {
    throw validationException(
      text === ''
        ? 'The parameter cannot be converted to a numeric value'
        : `The parameter cannot be converted to a numeric value: ${text}`,
    );
  }
  const [, sign = '', whole = '', fraction = '', bareFraction = '', power = '0'] = match;
  const decimals = fraction + bareFraction;
  const coefficient = BigInt(whole + decimals);
  return checkRange(normalize(sign === '-' ? -coefficient : coefficient, Number(power) - decimals.length));
}

/** Writes a number as the service returns it: plain notation, no exponent, no superfluous zeros. */
export function formatDecimal({ coefficient, exponent }: Decimal): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = digitsOf(coefficient);
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function alignedPair(left: Decimal, right: Decimal): readonly [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = (decimal: Decimal): bigint => decimal.coefficient * 10n ** BigInt(decimal.exponent - exponent);
  return [scaled(left), scaled(right), exponent];
}

/** Negative, zero or positive, as a sort function returns it. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const [a, b] = alignedPair(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @throws ValidationException when the exact sum does not fit a DynamoDB number. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const [a, b, exponent] = alignedPair(left, right);
  return checkRange(normalize(a + b, exponent));
}

export const negateDecimal = ({ coefficient, exponent }: Decimal): Decimal => ({ coefficient: -coefficient, exponent });
