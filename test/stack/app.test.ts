import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { aFolder } from './a-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** Runs the app as `cdk` runs it. */
const runApp = (context: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['bin/app.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      CDK_OUTDIR: aFolder(),
      CDK_CONTEXT_JSON: JSON.stringify(context),
      ...env,
    },
  });

it('a synth that is refused ends with a line a problem, without a stack trace', () => {
  const ONCEHOOK_SOURCES = join(aFolder(), 'sources.ts');
  writeFileSync(
    ONCEHOOK_SOURCES,
    `import { defineSources, github } from ${JSON.stringify(join(root, 'lambda/oncehook.ts'))};
const provider = { ...github(), retryHorizon: 3 * 86_400_000 };
export const sources = defineSources({ repo: { provider, on: { push: async () => {} } } });
`,
  );
  const { status, stderr } = runApp({ dedupWindowDays: '1', stage: 'test' }, { ONCEHOOK_SOURCES });

  expect(status).toBe(1);
  expect(stderr.trimEnd().split('\n')).toEqual([
    'oncehook: stage must be `dev` or `prod`; it is "test"',
    expect.stringMatching(/^oncehook: dedupWindowDays is 1 day, but source "repo" .* for 3 days/),
  ]);
});

it('a synth of a sources file that is not there says so', () => {
  const { status, stderr } = runApp({}, { ONCEHOOK_SOURCES: 'nowhere/sources.ts' });

  expect(status).toBe(1);
  expect(stderr).toBe('oncehook: there is no nowhere/sources.ts, which should export `sources`\n');
});
