import { describe, expect, it } from 'vitest';
import { readFilter } from '../../../../local/mappings/filter.ts';
import { aRecord } from './a-record.ts';

const passes = (record: unknown, ...patterns: object[]): boolean =>
  readFilter(
    patterns.map((pattern) => JSON.stringify(pattern)),
    'Mapping',
  )(record);

const NEW = { dynamodb: { NewImage: { state: { S: ['new'] } } }, eventName: ['INSERT'] };

describe('a filter of a stream', () => {
  it('lets a record pass that has every value of the pattern', () => {
    expect(passes(aRecord('1'), NEW)).toBe(true);
  });

  it.each([
    ['another value', { ...aRecord('1'), eventName: 'MODIFY' }],
    ['another value deep inside', { ...aRecord('1'), dynamodb: { NewImage: { state: { S: 'retry' } } } }],
    ['no image', { eventName: 'REMOVE', dynamodb: {} }],
    ['nothing there', undefined],
  ])('keeps back a record with %s', (_, record) => {
    expect(passes(record, NEW)).toBe(false);
  });

  it('lets everything pass without a pattern, and with several what fits one', () => {
    expect(passes({ a: 1 })).toBe(true);
    expect(passes({ a: 2 }, { a: [1] }, { a: [2, 3] })).toBe(true);
    expect(passes({ a: 4 }, { a: [1] }, { a: [2, 3] })).toBe(false);
  });

  it('knows whether a field is there', () => {
    expect(passes({ a: null }, { a: [{ exists: true }] })).toBe(true);
    expect(passes({}, { a: [{ exists: true }] })).toBe(false);
    expect(passes({}, { a: [{ exists: false }] })).toBe(true);
  });

  it.each([
    ['{"a":[{"prefix":"x"}]}', '"prefix":"x"'],
    ['{"a":"x"}', 'no object'],
    ['[1]', 'no object'],
    ['{"a":', 'not JSON'],
  ])('is refused when it is %s', (pattern, message) => {
    expect(() => readFilter([pattern], 'Mapping')).toThrow(message);
  });
});
