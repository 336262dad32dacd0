import { describe, expect, it } from 'vitest';
import { createLogFeed } from '../../../../local/functions/log-feed.ts';
import { readFilterPattern } from '../../../../local/logs/filter-pattern.ts';

const LINE = '{"outcome":"duplicate","eventId":"evt_1","attempt":2,"error":{"name":"A \\"B\\""}}';

/** `undefined` for a pattern that is refused. */
function fits(pattern: string, text: string): boolean | undefined {
  const logs = createLogFeed();
  logs.write({ functionKey: 'receive', instanceId: 'i', from: 'function', text });
  return logs.entries.map((entry) => readFilterPattern(pattern)?.(entry))[0];
}

describe('a filter pattern of terms', () => {
  it.each([
    ['', true],
    ['evt_1', true],
    ['evt_2', false],
    ['evt_1 duplicate', true],
    ['evt_1 processed', false],
    ['DUPLICATE', false],
    ['?processed ?duplicate', true],
    ['?processed ?failed', false],
    ['evt_1 -duplicate', false],
    ['evt_1 -failed', true],
    ['"\\"evt_1\\""', true],
    ['"evt_1 "', false],
  ])('%j fits: %j', (pattern, expected) => {
    expect(fits(pattern, LINE)).toBe(expected);
  });
});

describe('a filter pattern of fields', () => {
  it.each([
    ['{ $.outcome = "duplicate" }', true],
    ['{$.outcome="duplicate"}', true],
    ['{ $.outcome = duplicate }', true],
    ['{ $.outcome = "processed" }', false],
    ['{ $.outcome = "dup*" }', true],
    ['{ $.outcome = "dup" }', false],
    ['{ $.outcome != "processed" }', true],
    ['{ $.absent != "x" }', false],
    ['{ $.outcome = "duplicate" && $.eventId = "evt_1" }', true],
    ['{ $.outcome = "duplicate" && $.eventId = "evt_2" }', false],
    ['{ $.outcome = "failed" || $.outcome = "duplicate" }', true],
    ['{ ($.outcome = "failed" || $.outcome = "duplicate") && $.eventId = "evt_2" }', false],
    ['{ $.outcome = "failed" && $.eventId = "evt_2" || $.attempt = 2 }', true],
    ['{ $.attempt = 2 }', true],
    ['{ $.attempt >= 3 }', false],
    ['{ $.attempt < 3 }', true],
    ['{ $.error.name = "A \\"B\\"" }', true],
    ['{ $.eventId = "evt.1" }', false],
  ])('%j fits: %j', (pattern, expected) => {
    expect(fits(pattern, LINE)).toBe(expected);
  });

  it('fits no line that is no JSON', () => {
    expect(fits('{ $.outcome != "processed" }', 'plain text')).toBe(false);
  });
});

describe('a filter pattern that is refused', () => {
  it.each([
    'evt-1',
    '"evt',
    '[a, b]',
    '%evt%',
    '{ $.outcome }',
    '{ $.outcome = }',
    '{ $.outcome = "a" && }',
    '{ ($.outcome = "a" }',
    '{ $.outcome = "a" } x',
    '{ outcome = "a" }',
    '{ $.outcome > "a" }',
    '{ }',
  ])('is %j', (pattern) => {
    expect(fits(pattern, LINE)).toBeUndefined();
  });
});
