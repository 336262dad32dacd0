import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Sees to it that no child outlives this process, not even when this process is killed.
 *
 * It is a small process of its own at the other end of a pipe: the kernel closes the pipe
 * when we end in whatever way, and the guardian then kills every child it was told of. A
 * stopped (frozen) child cannot see its parent go, so watching from inside would not do.
 */
export interface Guardian {
  /** Puts a child under guard until it exits. */
  guard(child: ChildProcess): void;
  /** Removes a folder when the end has come. */
  removeAtEnd(folder: string): void;
  /** Kills what is still guarded, removes the folders and ends the guardian. */
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('guardian-process.ts', import.meta.url));

export function startGuardian(): Guardian {
  const guardian = spawn(process.execPath, [PROGRAM], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  // A write to a guardian that somebody killed must not take this process down with it.
  guardian.stdin.on('error', () => {});
  guardian.unref();
  const folders: string[] = [];

  return {
    guard(child) {
      const pid = child.pid;
      if (pid === undefined) return;
      guardian.stdin.write(`+${pid}\n`);
      child.once('exit', () => guardian.stdin.write(`-${pid}\n`));
    },
    removeAtEnd(folder) {
      folders.push(folder);
      guardian.stdin.write(`rm ${folder}\n`);
    },
    async stop() {
      if (guardian.exitCode === null && guardian.signalCode === null) {
        guardian.ref();
        const exited = once(guardian, 'exit');
        guardian.stdin.end();
        await exited;
      }
      // Nothing is left of them, unless somebody killed it.
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
