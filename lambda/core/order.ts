import type { OrderRule, WebhookEvent } from './handler.ts';
import { Permanent } from './handler-errors.ts';

/** The place of an event among those of one resource. */
export interface EventOrder {
  readonly resource: string;
  /** Digits, with a minus sign where negative. */
  readonly sequence: string;
  readonly tie: 'drop' | 'apply';
}

/**
 * Digits that a DynamoDB number keeps exactly.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */
export const MAX_SEQUENCE_DIGITS = 38;

/** Longer texts are refused unread. No number of {@link MAX_SEQUENCE_DIGITS} needs so much, leading zeros and all. */
export const MAX_SEQUENCE_CHARACTERS = 100;

/** Longest resource id in UTF-8 bytes: it is a partition key with the source before it (limit: 2,048 bytes). */
export const MAX_RESOURCE_BYTES = 1024;

/**
 * Reads the order of an event with the rule's functions.
 *
 * @throws Permanent when the resource is not a usable text or the sequence not a whole number:
 * no later attempt of the same event can differ.
 */
export function readOrder<Body>(rule: OrderRule<Body>, event: WebhookEvent<Body>): EventOrder {
  const resource: unknown = rule.resource(event);
  if (typeof resource !== 'string' || resource.trim() === '' || Buffer.byteLength(resource) > MAX_RESOURCE_BYTES) {
    throw new Permanent(`the order's resource must be a text of 1 to ${MAX_RESOURCE_BYTES} bytes`);
  }
  // Stored as UTF-8, which has one replacement character for all lone surrogates: two resources would be one.
  if (!resource.isWellFormed()) throw new Permanent("the order's resource must be well-formed Unicode");
  return { resource, sequence: toDigits(rule.sequence(event)), tie: rule.tie ?? 'drop' };
}

function toDigits(sequence: unknown): string {
  if (typeof sequence === 'number' && !Number.isSafeInteger(sequence)) {
    throw new Permanent(
      "the order's sequence is not a whole number below 2^53; pass it as a bigint or a string of digits",
    );
  }
  const text = toText(sequence);
  const digits = /^(-?)0*([1-9]\d*|0)$/.exec(text);
  if (digits === null) throw new Permanent("the order's sequence must be a whole number or a string of digits");
  const [, sign = '', significant = ''] = digits;
  if (significant.length > MAX_SEQUENCE_DIGITS) {
    throw new Permanent(
      `the order's sequence has ${significant.length} digits; at most ${MAX_SEQUENCE_DIGITS} can be compared`,
    );
  }
  return significant === '0' ? '0' : `${sign}${significant}`;
}

function toText(sequence: unknown): string {
  switch (typeof sequence) {
    case 'bigint':
      // Writing out millions of digits takes seconds, and none of them could be compared.
      if (BigInt.asIntN(MAX_SEQUENCE_BITS, sequence) !== sequence) throw new Permanent(TOO_LONG);
      return String(sequence);
    case 'string':
      if (sequence.length > MAX_SEQUENCE_CHARACTERS) throw new Permanent(TOO_LONG);
      return sequence;
    case 'number':
      return String(sequence);
    default:
      return '';
  }
}

/** Room for more than {@link MAX_SEQUENCE_DIGITS}, whose exact number is checked afterwards. */
const MAX_SEQUENCE_BITS = 256;

const TOO_LONG = `the order's sequence is too long; at most ${MAX_SEQUENCE_DIGITS} digits can be compared`;
