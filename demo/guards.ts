/**
 * The guards that the proof run can do without, to show that it would notice. Each is one place in
 * the code, taken out while the bundle is built.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

export const GUARDS = ['fence', 'condition', 'lease', 'ack'] as const;
export type Guard = (typeof GUARDS)[number];

interface Place {
  readonly file: string;
  readonly code: string;
  readonly instead: string;
}

const PLACES: Readonly<Record<Guard, Place>> = {
  // Every write after the claim would also be a stranger's.
  fence: {
    file: 'lambda/adapters/dynamodb/build-inbox-writes.ts',
    code: "const STILL_MINE = 'claimToken = :mine AND #status = :claimed';",
    instead: "const STILL_MINE = 'attribute_exists(id) AND #status <> :mine AND :claimed <> :mine';",
  },
  // Every copy would claim, also of an event that is finished.
  condition: {
    file: 'lambda/adapters/dynamodb/build-inbox-writes.ts',
    code: "ConditionExpression: 'attribute_not_exists(id)',",
    instead: "ConditionExpression: 'attribute_not_exists(nothing)',",
  },
  // A dead worker's claim would never end.
  lease: {
    file: 'lambda/core/claim-decision.ts',
    code: 'row.leaseUntil !== undefined && row.leaseUntil > now',
    instead: 'row.leaseUntil !== undefined',
  },
  // The provider would be told not to come back before anything is committed.
  ack: {
    file: 'lambda/receive/respond.ts',
    code: 'statusCode: reply.status,',
    instead: 'statusCode: reply.status >= 500 ? 200 : reply.status,',
  },
};

const root = resolve(import.meta.dirname, '..');

/** @throws when the guard's code is not there any more: a proof that breaks nothing proves nothing. */
export function withoutGuard(guard: Guard): Plugin {
  const { file, code, instead } = PLACES[guard];
  const path = resolve(root, file);
  return {
    name: `without-${guard}`,
    setup: ({ onLoad }) =>
      onLoad({ filter: new RegExp(`${RegExp.escape(path)}$`) }, async () => {
        const contents = await readFile(path, 'utf8');
        if (contents.split(code).length !== 2) throw new Error(`the guard "${guard}" is not where it was in ${file}`);
        return { contents: contents.replace(code, () => instead), loader: 'ts' };
      }),
  };
}
