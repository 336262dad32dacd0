import { Refusal } from '../refusal.ts';

/** The part of a terminal's input that is needed. */
export interface KeyInput {
  setRawMode(raw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  off(event: 'data', listener: (text: string) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/**
 * Reads one line from a terminal that shows nothing of it, whether typed or pasted.
 *
 * @throws Refusal for Ctrl-C, Ctrl-D and an input that ends.
 */
export async function readHiddenLine(
  input: KeyInput,
  output: { write(text: string): unknown },
  question: string,
): Promise<string> {
  output.write(question);
  input.setRawMode(true);
  input.setEncoding('utf8');
  let line = '';
  let onData: (text: string) => void = () => {};
  let onEnd: () => void = () => {};
  try {
    return await new Promise<string>((resolve, reject) => {
      const breakOff = () => reject(new Refusal('broken off, so nothing was changed'));
      onEnd = breakOff;
      onData = (text) => {
        for (const key of text) {
          if (key === ENTER || key === LINE_FEED) return resolve(line);
          if (key === CTRL_C || key === CTRL_D) return breakOff();
          line = key === BACKSPACE || key === DELETE ? [...line].slice(0, -1).join('') : line + key;
        }
      };
      input.on('data', onData);
      input.on('end', onEnd);
      input.resume();
    });
  } finally {
    input.off('data', onData);
    input.off('end', onEnd);
    input.setRawMode(false);
    input.pause();
    output.write('\n');
  }
}

const ENTER = '\r';
const LINE_FEED = '\n';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = '\b';
const DELETE = '\u007f';
