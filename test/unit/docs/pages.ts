import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

/** Every document, by its path in the repository. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** GitHub's anchor of a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

export const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Code of a page: its blocks of commands, line by line, and what stands between backticks. */
export function codeOf(page: string): readonly string[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/^ *```sh\n([^`]+)```/gm)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', ' ').split('\n'),
  );
  const prose = text.replaceAll(/^ *```[\s\S]*?```$/gm, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].map((code) => code.replaceAll(/\s+/g, ' ').trim());
}
