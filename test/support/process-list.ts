import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** `frozen` by SIGSTOP; `ended`, and not yet taken off the list by whoever inherited it. */
  readonly state: 'alive' | 'frozen' | 'ended';
  readonly command: string;
}

/** Every process of the machine. */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state = '', ...command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      state: state.startsWith('Z') ? 'ended' : state.startsWith('T') ? 'frozen' : 'alive',
      command: command.join(' '),
    }));
}

export async function childrenOf(pid: number | undefined): Promise<readonly ProcessRow[]> {
  return (await listProcesses()).filter(({ parent }) => parent === pid);
}

/** Those that have not ended. */
export async function remainingOf(pids: readonly number[]): Promise<readonly number[]> {
  return (await listProcesses()).filter((row) => pids.includes(row.pid) && row.state !== 'ended').map(({ pid }) => pid);
}

export async function stateOf(pid: number | undefined): Promise<ProcessRow['state'] | undefined> {
  return (await listProcesses()).find((row) => row.pid === pid)?.state;
}
