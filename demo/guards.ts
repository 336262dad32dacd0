/**
 * The guards that the proof run can do without, to show that it would notice. Each is one place in
 * the code, taken out while the bundle is built.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

export const GUARDS = ['fence', 'condition', 'lease', 'ack', 'dispatch', 'sweep', 'park'] as const;
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
  // The provider would be told not to come back before anything is committed or queued.
  ack: {
    file: 'lambda/receive/respond.ts',
    code: 'statusCode: reply.status,',
    instead: 'statusCode: reply.status >= 500 ? 200 : reply.status,',
  },
  // A row would go although the queue did not take its message.
  dispatch: {
    file: 'lambda/dispatch/send-owed.ts',
    code: 'settle(deps, message, results[n] ?? UNMENTIONED)',
    instead: "settle(deps, message, { ...(results[n] ?? UNMENTIONED), kind: 'sent' })",
  },
  // What the stream did not bring to the queue would never come there.
  sweep: {
    file: 'lambda/sweep/sweep.ts',
    code: 'await sendOwed(deps, messages);',
    instead: 'void sendOwed;',
  },
  // An event that is given up would be in no queue.
  park: {
    file: 'lambda/process/give-back.ts',
    code: 'await context.park(reason, error);',
    instead: 'void context;',
  },
};

const root = resolve(import.meta.dirname, '..');

/** @throws when a guard's code is not there any more: a proof that breaks nothing proves nothing. */
export const withoutGuards = (guards: readonly Guard[]): readonly Plugin[] =>
  // The plugin that loads a file is the first one that wants to, so two guards of one file are one plugin's.
  [...Map.groupBy(guards, (guard) => resolve(root, PLACES[guard].file))].map(([path, those]) => ({
    name: `without-${those.join('-')}`,
    setup: ({ onLoad }) =>
      onLoad({ filter: new RegExp(`${RegExp.escape(path)}$`) }, async () => ({
        contents: those.reduce(takeOut, await readFile(path, 'utf8')),
        loader: 'ts',
      })),
  }));

function takeOut(contents: string, guard: Guard): string {
  const { file, code, instead } = PLACES[guard];
  if (contents.split(code).length !== 2) throw new Error(`the guard "${guard}" is not where it was in ${file}`);
  return contents.replace(code, () => instead);
}
