import { afterEach, beforeEach, vi } from 'vitest';

/**
 * The lines that the functions' logger and metrics write during a test, as they were written. Call it inside `describe`.
 */
export function collectWrittenLines(): string[] {
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    // Sends the lines to this process's console, where they can be read.
    vi.stubEnv('POWERTOOLS_DEV', 'true');
    vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
    for (const level of ['log', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line: unknown) => void written.push(String(line)));
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return written;
}
