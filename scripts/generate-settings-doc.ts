/**
 * Writes `docs/settings.md` from `lib/known-settings.ts`: `node scripts/generate-settings-doc.ts`.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { renderSettings } from './render-settings.ts';

await writeFile(resolve(import.meta.dirname, '../docs/settings.md'), renderSettings());
