import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import type { Terminal } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { readHiddenLine } from './hidden-line.ts';

/** The process's own standard streams. */
export const createProcessTerminal = (): Terminal => ({
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  write: (bytes) =>
    new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    }),
  isInteractive: process.stdin.isTTY === true,
  readInput: () => buffer(process.stdin),
  askHidden: (question) => readHiddenLine(process.stdin, process.stderr, question),
  ask: (question) =>
    new Promise((resolve, reject) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      // Ctrl-C and Ctrl-D end it without an answer, and leave the cursor behind the question.
      const breakOff = () => {
        process.stderr.write('\n');
        reject(new Refusal('broken off, so nothing was done'));
      };
      lines.once('close', breakOff);
      lines.question(question, (answer) => {
        lines.off('close', breakOff);
        lines.close();
        resolve(answer);
      });
    }),
});
