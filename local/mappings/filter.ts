import { Problem } from '../problem.ts';
import { listOf, recordOf } from '../template/template.ts';

/** Whether a function gets a record. */
export type Filter = (record: unknown) => boolean;

/**
 * Reads the filter patterns of an event source mapping: a record passes that fits any of them, and
 * every record if there is none. A pattern is an object like the record, with lists of the values that
 * are allowed in the place of values.
 *
 * @param patterns JSON texts
 * @throws Problem for a rule other than equality and `exists`, such as `prefix`.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function readFilter(patterns: readonly string[], where: string): Filter {
  const filters = patterns.map((text) => readPattern(parse(text, where), where));
  return (record) => filters.length === 0 || filters.some((passes) => passes(record));
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(`${where} has a filter pattern that is not JSON: ${text}`);
  }
}

function readPattern(pattern: unknown, where: string): Filter {
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern)) {
    throw new Problem(`${where} has a filter pattern that is no object: ${JSON.stringify(pattern)}`);
  }
  const fields = Object.entries(pattern).map(([name, wanted]): Filter => {
    const passes = Array.isArray(wanted) ? readValues(wanted, where) : readPattern(wanted, where);
    return (record) => passes(recordOf(record)[name]);
  });
  return (record) => fields.every((passes) => passes(record));
}

function readValues(values: readonly unknown[], where: string): Filter {
  const rules = values.map((wanted): Filter => {
    if (typeof wanted !== 'object' || wanted === null) return (value) => listFrom(value).includes(wanted);
    const [rule, argument] = Object.entries(wanted)[0] ?? [];
    if (rule === 'exists' && typeof argument === 'boolean') return (value) => (value !== undefined) === argument;
    throw new Problem(
      `${where} has the filter rule ${JSON.stringify(wanted)}, which local AWS does not know. Add it to local/mappings/filter.ts`,
    );
  });
  return (value) => rules.some((passes) => passes(value));
}

/** Of a list in the record, one value has to fit. */
const listFrom = (value: unknown): readonly unknown[] => (Array.isArray(value) ? listOf(value) : [value]);
