/**
 * Redrive of the outbox: stuck messages become due again, and the next sweep sends them. Nothing is sent from here, so
 * there is one sender as before. Each row is changed only as it was seen.
 */
import { assertNever } from '../core/assert-never.ts';
import type { OwedRow } from '../core/outbox-ports.ts';
import type { OperatorOutbox } from './deployment/outbox-port.ts';
import { Refusal } from './refusal.ts';

/** What became of one stuck row. */
export interface RedrivenRow {
  readonly id: string;
  readonly ending: 'due' | 'changed' | 'unreadable';
}

/** One row by its outbox id. @throws Refusal when it is not owed, or not stuck; nothing was changed. */
export async function redriveOne(outbox: OperatorOutbox, id: string): Promise<RedrivenRow> {
  const row = await outbox.read(id);
  if (row === undefined) throw new Refusal('no such message is owed: it was sent, or its id is another');
  if (row.kind === 'owed' && row.message.state !== 'stuck') {
    throw new Refusal(`it is not stuck: its state is ${row.message.state}, and the sweep tries it by itself`);
  }
  return makeDue(outbox, row);
}

/** All stuck rows, as they are found. Ends between two rows when it is interrupted. */
export async function* redriveAll(outbox: OperatorOutbox, interruption: AbortSignal): AsyncIterable<RedrivenRow> {
  for await (const page of outbox.scan()) {
    for (const row of page) {
      if (interruption.aborted) return;
      const isStuck = row.kind === 'owed' ? row.message.state === 'stuck' : row.isStuck;
      if (isStuck) yield await makeDue(outbox, row);
    }
  }
}

async function makeDue(outbox: OperatorOutbox, row: OwedRow): Promise<RedrivenRow> {
  switch (row.kind) {
    case 'owed':
      return { id: row.message.id, ending: await outbox.makeDue(row.message) };
    case 'unreadable':
      // The sweep would set it aside again.
      return { id: row.id, ending: 'unreadable' };
    default:
      return assertNever(row);
  }
}
