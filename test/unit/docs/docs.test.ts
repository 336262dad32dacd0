import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import * as oncehook from '../../../lambda/oncehook.ts';
import { CONTRACT_ROWS } from '../providers/contract-rows.ts';
import { anchorsOf, codeOf, pages, root, textOf } from './pages.ts';

const { scripts } = JSON.parse(textOf('package.json'));

/** The one file that a reader makes. */
const TO_BE_WRITTEN = 'lambda/providers/tide-gauge.ts';

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
        /npm (?:run )?(?:--silent )?(start|test|demo|soak|bench|lint|typecheck|build|format|docs:[a-z]+)\b/g,
      ),
    ];

    for (const [, script = ''] of named) expect(scripts).toHaveProperty(script);
  });

  it('names only files of this repository that there are', () => {
    const paths = codeOf(page).filter(
      (code) => /^(bin|lib|lambda|local|demo|bench|scripts|test|docs)\/[\w./-]+$/.test(code) && code !== TO_BE_WRITTEN,
    );

    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('docs/operate.md', () => {
  it('explains every widget of the dashboard under its title', () => {
    const code = ['lib/widgets.ts', 'lib/outbox-widgets.ts', 'lib/function-widgets.ts'].map(textOf).join('\n');
    const titles = [...code.matchAll(/(?:title: |percentilesOf\()'([^']+)'/g)].map(([, title = '']) => title);

    expect(titles.length).toBeGreaterThan(20);
    expect(titles.filter((title) => !textOf('docs/operate.md').includes(`*${title}*`))).toEqual([]);
  });
});

describe('docs/data.md', () => {
  it('has the retention of everything that holds data', () => {
    const kept = ['inbox', 'sequences', 'outbox', 'events queue', 'events DLQ', 'bucket of bodies', 'outbox queue'];
    const others = [
      'deliveries queue',
      'stream failures',
      'backups',
      'logs',
      'alarm topic',
      'signing secret',
      'metrics',
    ];
    const rows = textOf('docs/data.md')
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const places = rows.map((row) => row.split('|')[1] ?? '').join('\n');

    expect([...kept, ...others].filter((place) => !places.includes(place))).toEqual([]);
  });
});

describe('docs/deploy-ci.md', () => {
  it('stops at a change that would replace or remove what holds data, and at no other', () => {
    const [, data = ''] = /data='([^']+)'/.exec(textOf('docs/deploy-ci.md')) ?? [];
    const [, pattern = ''] = /grep -E "([^"]+)" diff\.txt/.exec(textOf('docs/deploy-ci.md')) ?? [];
    const guard = new RegExp(pattern.replace('$data', data));
    const table = 'AWS::DynamoDB::GlobalTable Storage/Inbox StorageInbox618003E1';

    expect(guard.test(`[~] ${table} replace`)).toBe(true);
    expect(guard.test(`[~] ${table} may be replaced`)).toBe(true);
    expect(guard.test('[-] AWS::SQS::Queue Retries/Queues/DeadLetters RetriesQueuesDeadLetters destroy')).toBe(true);
    expect(guard.test('[-] AWS::SecretsManager::Secret SigningSecret SigningSecret808474B8 orphan')).toBe(true);
    expect(guard.test(`[~] ${table}`)).toBe(false);
    expect(guard.test('[+] AWS::SQS::Queue Another Another1')).toBe(false);
    expect(guard.test('[-] AWS::Lambda::Function Old Old1 destroy')).toBe(false);
  });

  it('names no stored key and no signing secret', () => {
    const [, workflow = ''] = /```yaml\n([\s\S]+?)\n```\n/.exec(textOf('docs/deploy-ci.md')) ?? [];

    expect(workflow).toContain('id-token: write');
    expect(workflow).not.toMatch(/secrets\.|aws-access-key-id|oncehook secret/);
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
      /^(git rm .+|npm ci && npm (start|test)|npm run (demo|bench)( -- --break fence)?|npx cdk (bootstrap|deploy|destroy|synth)|npx oncehook [a-z].*)$/;

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
