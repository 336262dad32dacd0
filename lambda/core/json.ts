/**
 * JSON that keeps every digit. `JSON.parse` rounds integers beyond 2^53, so two ids or
 * amounts could become one; here they become `bigint`, and are written back as they were.
 *
 * Where a key is repeated in one object the last one wins, as in `JSON.parse`; identity,
 * handler and outbox all read this one parsed value, so they cannot disagree.
 *
 * @see https://tc39.es/proposal-json-parse-with-source/
 */

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const parseWith: (text: string, reviver?: Reviver) => unknown = JSON.parse;

// Parsing with a reviver is several times slower, so it runs only where 16 digits in a row occur.
const MAY_HOLD_LARGE_INTEGER = /\d{16}/;
const INTEGER = /^-?\d+$/;

const keepDigits: Reviver = (_key, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && INTEGER.test(source) ? BigInt(source) : value;
};

/** @throws SyntaxError for text that is not JSON. */
export function parseJson(text: string): unknown {
  return MAY_HOLD_LARGE_INTEGER.test(text) ? parseWith(text, keepDigits) : parseWith(text);
}

interface RawJson {
  rawJSON(text: string): unknown;
}
const hasRawJson = (json: object): json is RawJson => 'rawJSON' in json;

/** JSON text of a value that has a JSON form; `bigint` is written as a number. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' && hasRawJson(JSON) ? JSON.rawJSON(String(member)) : member,
  );
}
