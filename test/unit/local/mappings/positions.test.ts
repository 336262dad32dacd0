import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPositions } from '../../../../local/mappings/positions.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncehook-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('how far a stream has been read', () => {
  it('is known to the next run when it is kept in a file', () => {
    const file = join(folder, 'positions.json');
    openPositions(file)('Mapping').set('shard', { after: '7' });

    const next = openPositions(file);

    expect(next('Mapping').get('shard')).toEqual({ after: '7' });
    expect(next('Other').get('shard')).toBeUndefined();
  });

  it('is known to a mapping that is started again in the same run', () => {
    const positionsOf = openPositions(undefined);
    positionsOf('Mapping').set('shard', 'ended');

    expect(positionsOf('Mapping').get('shard')).toBe('ended');
  });
});
