import { readFileSync } from 'node:fs';

/** How often a busy instance is looked at: often enough to stop a leak before the machine feels it. */
export const MEMORY_CHECK_MS = 100;

/**
 * The sizes that Lambda's own start script for Node.js gives V8: a tenth of the memory for new objects,
 * in two halves, and the rest for those that stay. An instance whose objects outgrow them aborts itself,
 * on any system.
 *
 * @see https://gallery.ecr.aws/lambda/nodejs (`/var/runtime/bootstrap` in the image)
 */
export function heapOptions(memoryMb: number): readonly string[] {
  const newSpace = Math.floor(memoryMb / 10);
  return [`--max-semi-space-size=${Math.floor(newSpace / 2)}`, `--max-old-space-size=${memoryMb - newSpace}`];
}

/**
 * What a process has in memory for itself, in MB as Lambda counts them (2^20 bytes); `undefined` where the
 * system does not say (there is no `/proc`) or the process has gone.
 *
 * Pages of files are left out, such as the program text of Node.js: Linux takes those back before it kills.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export function readPrivateMemoryMb(pid: number): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
