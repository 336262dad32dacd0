import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../../lambda/core/handler.ts';
import { isPermanent } from '../../../lambda/core/handler-errors.ts';
import { type EventOrder, readOrder } from '../../../lambda/core/order.ts';

const event: WebhookEvent = {
  source: 'bazaar',
  id: 'e1',
  type: 'account.updated',
  body: {},
  rawBody: new Uint8Array(),
  headers: {},
  receivedAt: '2026-12-01T00:00:00.000Z',
  occurredAt: undefined,
};
const read = (resource: unknown, sequence: unknown): EventOrder =>
  readOrder({ resource: () => resource as string, sequence: () => sequence as string }, event);
const refusal = (resource: unknown, sequence: unknown): unknown => {
  try {
    return read(resource, sequence);
  } catch (error) {
    return isPermanent(error) ? error.message : error;
  }
};

describe('the sequence of an event', () => {
  it.each<[unknown, string]>([
    [0, '0'],
    [-0, '0'],
    ['-0', '0'],
    ['000', '0'],
    ['0012', '12'],
    ['-0012', '-12'],
    [12n, '12'],
    [-12n, '-12'],
    ['9'.repeat(38), '9'.repeat(38)],
    [10n ** 38n - 1n, '9'.repeat(38)],
    ['0'.repeat(99).concat('7'), '7'],
  ])('%s is the number %s', (sequence, digits) => {
    expect(read('r', sequence).sequence).toBe(digits);
  });

  it.each<[unknown, RegExp]>([
    [1.5, /whole number below 2\^53/],
    [2 ** 53, /whole number below 2\^53/],
    ['', /a whole number or a string of digits/],
    ['-', /a whole number or a string of digits/],
    ['12x', /a whole number or a string of digits/],
    [' 12', /a whole number or a string of digits/],
    [undefined, /a whole number or a string of digits/],
    ['9'.repeat(39), /39 digits; at most 38/],
    [10n ** 38n, /39 digits; at most 38/],
    [-(10n ** 38n), /39 digits; at most 38/],
    [10n ** 90n, /at most 38 digits/],
    ['0'.repeat(100).concat('7'), /at most 38 digits/],
  ])('is never %s', (sequence, message) => {
    expect(refusal('r', sequence)).toMatch(message);
  });

  it.each<[string, unknown]>([
    ['a text of zeros with a letter at its end', '0'.repeat(1_000_000).concat('x')],
    ['a number of ten million bits', 1n << 10_000_000n],
  ])('that is %s costs next to nothing to refuse', (_case, sequence) => {
    const begun = performance.now();

    expect(refusal('r', sequence)).toMatch(/at most 38 digits/);
    expect(performance.now() - begun).toBeLessThan(250);
  });
});

describe('the resource of an order', () => {
  it.each(['r', 'r'.repeat(1024), 'é'.repeat(512), '🚢'])('may be %.10s', (resource) => {
    expect(read(resource, 1).resource).toBe(resource);
  });

  it.each<[unknown, RegExp]>([
    ['', /1 to 1024 bytes/],
    [' ', /1 to 1024 bytes/],
    [7, /1 to 1024 bytes/],
    ['r'.repeat(1025), /1 to 1024 bytes/],
    [`${'é'.repeat(512)}r`, /1 to 1024 bytes/],
    ['acct-\ud800', /well-formed Unicode/],
    ['\udc00acct', /well-formed Unicode/],
  ])('is never %.10j', (resource, message) => {
    expect(refusal(resource, 1)).toMatch(message);
  });
});
