import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../lib/known-settings.ts';
import { renderSettings } from '../../scripts/render-settings.ts';

it('docs/settings.md is what `node scripts/generate-settings-doc.ts` writes', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/settings.md'), 'utf8');

  expect(page).toBe(renderSettings());
});

it('every setting has its section, in the order of the settings', () => {
  const headings = [...renderSettings().matchAll(/^## (.*)$/gm)].map(([, name]) => name);

  expect(headings).toEqual(Object.keys(SETTINGS));
});
