import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ShardPosition } from './stream-source.ts';

/** How far a mapping has come in each shard. */
export interface Positions {
  get(shardId: string): ShardPosition | 'ended' | undefined;
  set(shardId: string, position: ShardPosition | 'ended'): void;
}

/**
 * The positions of every mapping, by its logical id.
 *
 * @param file keeps them between runs, as Lambda does: without it a kept stream would be read, and its
 * messages sent, from its start again
 */
export function openPositions(file: string | undefined): (logicalId: string) => Positions {
  const kept = new Map<string, ShardPosition | 'ended'>(file === undefined ? [] : read(file));

  return (logicalId) => ({
    get: (shardId) => kept.get(`${logicalId} ${shardId}`),
    set(shardId, position) {
      kept.set(`${logicalId} ${shardId}`, position);
      if (file === undefined) return;
      writeFileSync(`${file}.new`, JSON.stringify([...kept]), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  });
}

function read(file: string): readonly (readonly [string, ShardPosition | 'ended'])[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
