import { recordOf } from '../template/template.ts';
import type { LineTest } from './filter-pattern.ts';

type Fields = Readonly<Record<string, unknown>>;
type FieldsTest = (fields: Fields) => boolean;

const TOKEN =
  /\s*(?:(?<sign>&&|\|\||!=|<=|>=|[=<>()])|(?<path>\$(?:\.\w+)+)|"(?<quoted>(?:[^"\\]|\\.)*)"|(?<word>-?\d+(?:\.\d+)?(?![\w.])|[\w*]+))/y;

type Token = Readonly<Record<string, string | undefined>>;

/**
 * Reads `{ $.outcome = "duplicate" && $.attempt > 1 }`: comparisons with texts, in which `*` stands for anything,
 * and with numbers, joined by `&&`, `||` and brackets. A line without the field fits no comparison.
 */
export function readJsonPattern(pattern: string): LineTest | undefined {
  const tokens = pattern.endsWith('}') ? readTokens(pattern.slice(1, -1).trim()) : undefined;
  if (tokens === undefined) return undefined;
  const test = readAll([...tokens]);
  return test === undefined ? undefined : ({ fields }) => fields !== undefined && test(fields);
}

function readTokens(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text)?.groups;
    if (found === undefined) return undefined;
    tokens.push(found);
  }
  return tokens;
}

function readAll(tokens: Token[]): FieldsTest | undefined {
  const test = readEither(tokens);
  return tokens.length === 0 ? test : undefined;
}

function readEither(tokens: Token[]): FieldsTest | undefined {
  const tests = readJoined(tokens, '||', readBoth);
  return tests === undefined ? undefined : (fields) => tests.some((test) => test(fields));
}

function readBoth(tokens: Token[]): FieldsTest | undefined {
  const tests = readJoined(tokens, '&&', readOne);
  return tests === undefined ? undefined : (fields) => tests.every((test) => test(fields));
}

/** Takes tests from the front for as long as this sign stands between them. */
function readJoined(
  tokens: Token[],
  sign: string,
  read: (tokens: Token[]) => FieldsTest | undefined,
): readonly FieldsTest[] | undefined {
  const tests: FieldsTest[] = [];
  for (;;) {
    const test = read(tokens);
    if (test === undefined) return undefined;
    tests.push(test);
    if (tokens[0]?.['sign'] !== sign) return tests;
    tokens.shift();
  }
}

function readOne(tokens: Token[]): FieldsTest | undefined {
  const first = tokens.shift();
  if (first?.['sign'] === '(') {
    const test = readEither(tokens);
    return tokens.shift()?.['sign'] === ')' ? test : undefined;
  }
  const [path, sign, operand] = [first?.['path'], tokens.shift()?.['sign'], tokens.shift()];
  const compare = readComparison(sign, operand);
  if (path === undefined || compare === undefined) return undefined;
  const names = path.split('.').slice(1);
  return (fields) => {
    const value = names.reduce<unknown>((inner, name) => recordOf(inner)[name], fields);
    return value !== undefined && compare(value);
  };
}

function readComparison(sign: string | undefined, operand: Token = {}): ((value: unknown) => boolean) | undefined {
  const { quoted, word } = operand;
  const number = word === undefined ? Number.NaN : Number(word);
  if (!Number.isNaN(number)) return compareNumber(sign, number);
  const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? word;
  if (text === undefined) return undefined;
  const form = new RegExp(`^${text.split('*').map(RegExp.escape).join('.*')}$`, 's');
  if (sign === '=') return (value) => form.test(String(value));
  return sign === '!=' ? (value) => !form.test(String(value)) : undefined;
}

function compareNumber(sign: string | undefined, number: number): ((value: unknown) => boolean) | undefined {
  switch (sign) {
    case '=':
      return (value) => value === number;
    case '!=':
      return (value) => value !== number;
    case '<':
      return (value) => typeof value === 'number' && value < number;
    case '<=':
      return (value) => typeof value === 'number' && value <= number;
    case '>':
      return (value) => typeof value === 'number' && value > number;
    case '>=':
      return (value) => typeof value === 'number' && value >= number;
    default:
      return undefined;
  }
}
