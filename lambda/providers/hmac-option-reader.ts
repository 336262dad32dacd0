import { parseHeaderName, parseLocation, parsePath } from './location.ts';
import type { EventTime, Location } from './preset.ts';
import type { SignedPart } from './scheme.ts';
import { parseSignedTemplate } from './signed-template.ts';

/**
 * Reads options that may hold anything, because types are gone when the code runs. Each method
 * notes what is wrong and goes on with a stand-in, so that one message names all mistakes.
 * A preset built while `problems` is not empty must not be used.
 */
export function createOptionReader() {
  const problems: string[] = [];
  const problem = (text: string): void => {
    problems.push(text);
  };
  const expected = (option: string, what: string, value: unknown): void =>
    problem(value === undefined ? `needs ${option}: ${what}` : `needs ${option} to be ${what}, got ${show(value)}`);

  function headerName(option: string, value: unknown): string {
    const name = typeof value === 'string' ? parseHeaderName(value) : undefined;
    if (name === undefined) expected(option, 'the name of a header', value);
    return name ?? STAND_IN;
  }

  function location(option: string, value: unknown): Location {
    const parsed = typeof value === 'string' ? parseLocation(value) : undefined;
    if (parsed === undefined) expected(option, 'a location such as header:x-event-id or $.data.id', value);
    return parsed ?? { json: [STAND_IN] };
  }

  function list(option: string, value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) return [value];
    if (value.length === 0) problem(`needs ${option} to have at least one entry`);
    return value;
  }

  const locations = (option: string, value: unknown): readonly Location[] =>
    list(option, value).map((entry) => location(option, entry));

  const typeEntries = (option: string, value: unknown): readonly (readonly Location[])[] =>
    list(option, value).map((entry) => locations(option, entry));

  function headerNames(option: string, value: unknown): readonly string[] {
    if (Array.isArray(value)) return value.map((name) => headerName(option, name));
    expected(option, 'a list of header names', value);
    return [];
  }

  function oneOf<const T>(option: string, value: T, allowed: readonly T[]): T {
    if (!allowed.includes(value)) expected(option, allowed.map(show).join(' or '), value);
    return value;
  }

  function positive(option: string, value: number | undefined): number | undefined {
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) expected(option, 'a number above 0', value);
    return value;
  }

  function prefix(option: string, value: unknown): string {
    if (typeof value === 'string' && value !== '' && !value.includes(',')) return value;
    expected(option, 'a text that is not empty and has no comma', value);
    return STAND_IN;
  }

  function path(option: string, value: unknown): readonly string[] {
    const names = typeof value === 'string' ? parsePath(value) : undefined;
    if (names === undefined) expected(option, '$ or a path such as $.events', value);
    return names ?? [];
  }

  function eventTime(option: string, value: Partial<EventTimeOption>): EventTime {
    const unit = value?.unit ?? STAND_IN;
    if (unit === 's' || unit === 'ms' || unit === 'iso8601')
      return { from: location(`${option}.from`, value?.from), unit };
    expected(`${option}.unit`, "'s', 'ms' or 'iso8601'", value?.unit);
    return { from: location(`${option}.from`, value?.from), unit: 's' };
  }

  function signed(value: unknown): readonly SignedPart[] {
    const parts =
      typeof value === 'string' ? parseSignedTemplate(value) : `needs signed to be a text, got ${show(value)}`;
    if (typeof parts !== 'string') return parts;
    problem(parts);
    return ['body'];
  }

  return {
    problems,
    problem,
    headerName,
    headerNames,
    locations,
    typeEntries,
    oneOf,
    positive,
    prefix,
    path,
    eventTime,
    signed,
  };
}

interface EventTimeOption {
  readonly from: unknown;
  readonly unit: unknown;
}

const STAND_IN = 'unreadable';

const show = (value: unknown): string => JSON.stringify(value) ?? typeof value;
