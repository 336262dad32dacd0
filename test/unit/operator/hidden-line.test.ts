import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readHiddenLine } from '../../../lambda/operator/outside/hidden-line.ts';

/** A terminal: what is typed, what it shows, and whether it echoes by itself. */
function aTerminal() {
  const raw: boolean[] = [];
  const shown: string[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
  return { input, raw, shown, output: { write: (text: string) => shown.push(text) } };
}

async function type(...keys: readonly string[]) {
  const { input, output, raw, shown } = aTerminal();
  const line = readHiddenLine(input, output, 'secret: ');
  for (const key of keys) input.write(key);
  return { line, raw, shown, input };
}

describe('a line that is not shown', () => {
  it('is what was typed before Enter, and appears nowhere', async () => {
    const { line, raw, shown } = await type('s', 'e', 'cret\r', 'more');

    expect(await line).toBe('secret');
    expect(shown).toEqual(['secret: ', '\n']);
    expect(raw).toEqual([true, false]);
  });

  it('can be corrected', async () => {
    const { line } = await type('ab\u{1f511}\u007fc\b\r');

    expect(await line).toBe('ab');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('is broken off by %s, and the terminal echoes again', async (_name, key) => {
    const { line, raw } = await type('secr', key);

    await expect(line).rejects.toThrow('broken off, so nothing was changed');
    expect(raw).toEqual([true, false]);
  });

  it('is broken off when the terminal goes', async () => {
    const { line, input } = await type('secr');
    input.end();

    await expect(line).rejects.toThrow('broken off');
  });
});
