import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import * as oncehook from '../../../lambda/oncehook.ts';
import { CONTRACT_ROWS } from '../providers/contract-rows.ts';

const root = resolve(import.meta.dirname, '../../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const { scripts } = JSON.parse(textOf('package.json'));

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe.each(pages)('%s', (page) => {
  it('links only to what is there', () => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });

    expect(broken).toEqual([]);
  });

  it('names only scripts that there are', () => {
    const named = [
      ...textOf(page).matchAll(
        /npm (?:run )?(?:--silent )?(start|test|demo|bench|lint|typecheck|build|format|docs:[a-z]+)\b/g,
      ),
    ];

    for (const [, script = ''] of named) expect(scripts).toHaveProperty(script);
  });
});

describe('docs/adding-a-provider.md', () => {
  it('shows the preset that runs through the contract of all presets', () => {
    const [, shown = ''] = /```ts\n([^`]*(?:`[^`\n]+`[^`]*)*)```/.exec(textOf('docs/adding-a-provider.md')) ?? [];
    const file = textOf('test/unit/providers/tide-gauge.ts');

    expect(shown).toBe(
      file.replaceAll('../../../lambda/core/', '../core/').replaceAll('../../../lambda/providers/', './'),
    );
    expect(shown.split('\n').length).toBeLessThan(45);
  });
});

describe('docs/providers.md', () => {
  it('has a row for every preset that is data', () => {
    const names = Object.values(CONTRACT_ROWS).map(({ factory }) => factory.name);
    const without = names.filter(
      (name) => !['hmac', 'tideGauge'].includes(name) && !textOf('docs/providers.md').includes(`| \`${name}(`),
    );

    expect(without).toEqual([]);
  });
});

describe('the README', () => {
  it('runs every command that needs no AWS account with scripts and verbs that there are', () => {
    const blocks = [...textOf('README.md').matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => block);
    const commands = blocks.flatMap((block) => block.trim().split('\n')).map((line) => line.trim());
    const known =
      /^(git rm .+|npm ci && npm (start|test)|npm run (demo|bench)( -- --break fence)?|npx cdk (bootstrap|deploy|destroy|synth)|npx oncehook (send|secret set) .+)$/;

    expect(commands.length).toBeGreaterThan(8);
    expect(commands.filter((command) => !known.test(command))).toEqual([]);
  });

  it('shows an hmac() source as it can be written', () => {
    const example = /orders: \{\n\s+provider: hmac\((\{[^}]+\})\)/.exec(textOf('README.md'))?.[1] ?? '';
    const options = new Function(`return ${example}`)();

    const sources = defineSources({
      orders: { provider: oncehook.hmac(options), on: { 'order.paid': async () => {} } },
    });

    expect(sources.get('orders')?.provider.redelivers).toBe(true);
  });

  it('lists every answer', () => {
    const respond = textOf('lambda/receive/respond.ts');
    const words = new Set([...respond.matchAll(/outcome: '([a-z-]+)'/g)].map(([, word = '']) => word));

    for (const word of words) expect(textOf('README.md')).toContain(`\`${word}\``);
  });
});
