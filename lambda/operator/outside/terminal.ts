import { buffer } from 'node:stream/consumers';
import type { Terminal } from '../ports.ts';
import { readHiddenLine } from './hidden-line.ts';

/** The process's own standard streams. */
export const createProcessTerminal = (): Terminal => ({
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  isInteractive: process.stdin.isTTY === true,
  readInput: () => buffer(process.stdin),
  askHidden: (question) => readHiddenLine(process.stdin, process.stderr, question),
});
