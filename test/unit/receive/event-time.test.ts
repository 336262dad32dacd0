import { describe, expect, it } from 'vitest';
import type { EventTime } from '../../../lambda/providers/preset.ts';
import { eventTimeAt } from '../../../lambda/receive/event-time.ts';

const read = (unit: EventTime['unit'], at: unknown) => eventTimeAt({ from: { json: ['at'] }, unit }, {}, { at });

describe('the time of an event', () => {
  it.each<[EventTime['unit'], unknown, number]>([
    ['s', 1_700_000_000, 1_700_000_000_000],
    ['s', '1700000000', 1_700_000_000_000],
    ['s', '1700000000.1239', 1_700_000_000_123],
    ['s', 8_640_000_000_000, 8_640_000_000_000_000],
    ['ms', 1, 1],
    ['iso8601', '2023-11-14T22:13:20Z', 1_700_000_000_000],
    ['iso8601', '2023-11-14T23:13:20.5+01:00', 1_700_000_000_500],
    ['iso8601', '2023-11-14', 1_699_920_000_000],
    ['s', 1_700_000_000.5, 1_700_000_000_500],
    ['iso8601', '2023-11-14T22:13:20', 1_700_000_000_000],
    ['iso8601', '2023-11-14T22:13:20.000000', 1_700_000_000_000],
    ['iso8601', '2023-11-14T22:13:20.123456789Z', 1_700_000_000_123],
  ])('in %s is read from %j', (unit, at, ms) => {
    expect(read(unit, at)).toBe(ms);
  });

  it('is read from the first of several places that has one', () => {
    const from = [{ json: ['a'] }, { json: ['b'] }];

    expect(eventTimeAt({ from, unit: 's' }, {}, { b: 5 })).toBe(5000);
    expect(eventTimeAt({ from, unit: 's' }, {}, { a: 4, b: 5 })).toBe(4000);
    expect(eventTimeAt({ from, unit: 's' }, {}, {})).toBeUndefined();
  });

  it('may be in a header', () => {
    expect(eventTimeAt({ from: { header: 'x-time' }, unit: 'ms' }, { 'x-time': '5' }, {})).toBe(5);
  });

  it.each<[EventTime['unit'], unknown]>([
    ['s', undefined],
    ['s', 0],
    ['s', -1],
    ['s', 'soon'],
    ['s', 8_640_000_000_001],
    ['s', 1_700_000_000_000_000],
    ['s', '9'.repeat(400)],
    ['ms', 0],
    ['ms', 'Infinity'],
    ['iso8601', '0'],
    ['iso8601', 1],
    ['iso8601', '1700000000'],
    ['iso8601', '2023-13-14T00:00:00Z'],
    ['iso8601', '1969-12-31T00:00:00Z'],
    ['iso8601', 'Tue, 14 Nov 2023 22:13:20 GMT'],
  ])('in %s counts as absent when it is %j', (unit, at) => {
    expect(read(unit, at)).toBeUndefined();
  });
});
