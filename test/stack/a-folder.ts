import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An empty folder, removed with all that is in it after the test, or the group of tests, that asks for it. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oncehook-stack-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    // Outside of a test there is only the group's end.
    afterAll(remove);
  }
  return folder;
}
