/**
 * The program behind {@link startGuardian}: reads `+pid`, `-pid` and `rm folder` lines from
 * standard input, and when the input ends, however it came to end, kills every process still
 * listed and removes the folders.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const watched = new Set<number>();
const folders: string[] = [];

// Signals of the terminal reach the whole group; only the end of the input counts here.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });

lines.on('line', (line) => {
  if (line.startsWith('rm ')) {
    folders.push(line.slice(3));
    return;
  }
  const pid = Number(line.slice(1));
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (line.startsWith('+')) watched.add(pid);
  if (line.startsWith('-')) watched.delete(pid);
});

lines.on('close', () => {
  for (const pid of watched) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already, which is what is wanted.
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
});
