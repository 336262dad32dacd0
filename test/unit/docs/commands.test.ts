import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf, anchorsOf, codeOf, pages, root, textOf } from './pages.ts';

/** What `--help` says of a verb: `send`, `inbox clear`. Those of `secret` take what `secret drop` takes, at least. */
function helpOf(verb: string): string {
  const file = `test/golden/cli/help-${verb.replace(/^secret (set|add|show)$/, 'secret drop').replace(' ', '-')}.txt`;
  return existsSync(join(root, file)) ? textOf(file) : '';
}

const isGroup = (word: string): boolean => /^Commands:/m.test(helpOf(word));

/** Whether the help of a group, or a help of its own, has the verb. */
function isVerb(verb: string): boolean {
  const [group = '', inner] = verb.split(' ');
  return inner === undefined ? helpOf(group) !== '' : new RegExp(`^  ${inner}\\b`, 'm').test(helpOf(group));
}

const commandsOf = (page: string): readonly string[] =>
  codeOf(page).flatMap((code) => /\bnpx oncehook ([a-z].*)/.exec(code)?.[1] ?? []);

/** A verb, or an option of it, that the help does not have. */
function isWrong(command: string): boolean {
  const [first = '', second = ''] = command.split(' ');
  const verb = isGroup(first) && /^[a-z]+$/.test(second) ? `${first} ${second}` : first;
  const options = [...command.replaceAll(/'[^']*'/g, '').matchAll(/ (--[a-z-]+)/g)].map(([, option = '']) => option);
  return !isVerb(verb) || options.some((option) => !new RegExp(`^  ${option}\\b`, 'm').test(helpOf(verb)));
}

describe.each(pages)('%s', (page) => {
  it('names only verbs and options of the command line that there are', () => {
    expect(commandsOf(page).filter(isWrong)).toEqual([]);
  });

  it('sets only settings that there are', () => {
    const names = codeOf(page).flatMap((code) =>
      [...code.matchAll(/(?:^| )-c ([a-z]\w*)=/g)].map(([, name = '']) => name),
    );

    for (const name of names) expect(anchorsOf('docs/settings.md')).toContain(anchorOf(name));
  });
});

describe('a command in a document', () => {
  it.each(['replay evt_1', 'inbox forget stripe evt_1', 'dlq redrive --everything', 'stats --since 1h'])(
    'is noticed when there is none like it: %s',
    (command) => {
      expect(isWrong(command)).toBe(true);
    },
  );

  it('is found where it stands', () => {
    expect(commandsOf('docs/operate.md').length).toBeGreaterThan(15);
    expect(commandsOf('README.md').length).toBeGreaterThan(8);
  });
});

describe('the README', () => {
  it('lists every verb of the command line', () => {
    const verbs = globSync('test/golden/cli/help-*.txt', { cwd: root })
      .map((file) => /help-(.+)\.txt$/.exec(file)?.[1]?.replace('-', ' ') ?? '')
      .filter((verb) => !isGroup(verb));

    expect(verbs.length).toBeGreaterThan(10);
    expect(verbs.filter((verb) => !textOf('README.md').includes(`\`${verb}\``))).toEqual([]);
  });
});
