import { describe, expect, it } from 'vitest';
import { formatAttribute } from '../../../../local/console/table-view.ts';

describe('an attribute on the console page', () => {
  it.each([
    [undefined, ''],
    [{ S: 'text' }, 'text'],
    [{ N: '12345678901234567890123456789012345678' }, '12345678901234567890123456789012345678'],
    [{ BOOL: false }, 'false'],
    [{ NULL: true } as const, 'null'],
    [{ B: new Uint8Array(3) }, '3 bytes'],
    [{ L: [{ N: '1' }, { S: 'a' }] }, '[1, a]'],
    [{ M: { account: { S: 'a' }, list: { L: [] } } }, '{account: a, list: []}'],
    [{ SS: ['a', 'b'] }, 'a, b'],
  ])('%j is %j', (value, text) => {
    expect(formatAttribute(value)).toBe(text);
  });
});
