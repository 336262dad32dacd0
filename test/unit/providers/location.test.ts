import { describe, expect, it } from 'vitest';
import { parseLocation, parsePath } from '../../../lambda/providers/location.ts';

describe('a location', () => {
  it.each([
    ['header:X-Event-Id', { header: 'x-event-id' }],
    ['$.id', { json: ['id'] }],
    ['$.event-data.message_id.v2', { json: ['event-data', 'message_id', 'v2'] }],
  ])('%s is read', (text, location) => {
    expect(parseLocation(text)).toEqual(location);
  });

  it.each([
    '',
    'id',
    '$',
    '$.',
    '$..id',
    '$.id.',
    '.id',
    'data.id',
    '$.a[0]',
    '$.a.0',
    '$.*',
    '$.a b',
    ' $.id',
    '$.id ',
    '$id',
    'header:',
    'header: x',
    'header:x id',
    'header:x:y',
    'Header:x',
    'header',
    'x-event-id',
  ])('%j is none', (text) => {
    expect(parseLocation(text)).toBeUndefined();
  });
});

it('a path may be the body itself', () => {
  expect(parsePath('$')).toEqual([]);
  expect(parsePath('$.events')).toEqual(['events']);
  expect(parsePath('events')).toBeUndefined();
  expect(parsePath('')).toBeUndefined();
});
