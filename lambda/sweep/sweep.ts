/**
 * Sweep: whatever is still owed after a while is sent, whether or not the stream rang.
 *
 * The outbox table is the only authority on what is owed, and it is almost empty, so it is read as a
 * whole. A row that cannot be sent gets a later due time or is set aside, so the next run comes past it. A run that is
 * cut short by its time has settled every row it came to; the next begins anew a minute later.
 */

import type { OwedRow } from '../core/outbox-ports.ts';
import type { OwedMessage } from '../core/owed-message.ts';
import type { Invocation } from '../core/ports.ts';
import { between, type DurationMs, type EpochMs, milliseconds } from '../core/time.ts';
import { type SendDeps, sendOwed } from '../dispatch/send-owed.ts';

export interface SweepDeps extends SendDeps {
  /** For so long a message is left to the stream. */
  readonly after: DurationMs;
}

/** Below this a run ends: what is left waits for the next. */
const TIME_TO_END_MS = 5000;

export interface Swept {
  /** Messages that were due. */
  readonly due: number;
  /** `false` when time ran out before the last row. */
  readonly complete: boolean;
}

export async function sweep(deps: SweepDeps, invocation: Pick<Invocation, 'endsAt'>): Promise<Swept> {
  const now = deps.clock.now();
  let oldest = 0;
  let stuck = 0;
  let due = 0;
  let complete = true;
  for await (const page of deps.store.pages()) {
    const messages: OwedMessage[] = [];
    for (const row of page) {
      if (row.kind === 'unreadable' && !row.isStuck) await setAside(deps, row);
      if (row.kind === 'unreadable' || row.message.state === 'stuck') stuck += 1;
      else {
        oldest = Math.max(oldest, between(row.message.createdAt, now));
        if (isDue(row.message, now, deps.after)) messages.push(row.message);
      }
    }
    due += messages.length;
    await sendOwed(deps, messages);
    if (invocation.endsAt - deps.clock.now() < TIME_TO_END_MS) {
      complete = false;
      break;
    }
  }
  deps.telemetry.swept(milliseconds(oldest), stuck);
  return { due, complete };
}

const isDue = (message: OwedMessage, now: EpochMs, after: DurationMs): boolean => message.dueAt + after <= now;

async function setAside(deps: SweepDeps, { id, reason }: Extract<OwedRow, { kind: 'unreadable' }>): Promise<void> {
  deps.telemetry.warn('an outbox row cannot be read and is set aside', { id, reason });
  await deps.store.setAside(id);
}
