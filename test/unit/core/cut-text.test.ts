import { describe, expect, it } from 'vitest';
import { cutText } from '../../../lambda/core/cut-text.ts';

describe('a text that is cut', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['abcd', 'abc'],
    ['ab🚢', 'ab'],
    ['a🚢', 'a🚢'],
    ['a🚢b', 'a🚢'],
    ['🚢🚢', '🚢'],
  ])('%j at 3 is %j, never with half a character at its end', (text, cut) => {
    expect(cutText(text, 3)).toBe(cut);
  });
});
