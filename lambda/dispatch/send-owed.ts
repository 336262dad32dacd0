/**
 * Sends messages that are owed, and settles each one's row.
 *
 * A row goes when the queue has its message, and not before. Between the two a crash leaves a row
 * whose message was sent: it is sent again, with the same id, by which consumers know it. What cannot be sent is
 * noted on its row and left to the sweep, so that one bad message never holds up the others.
 *
 * Every write has the condition `createdAtMs = :seen`: an operator's replay of the event may have
 * written the row anew meanwhile, and that one is owed too.
 */
import { assertNever } from '../core/assert-never.ts';
import type { OutboxQueue, OutboxStore, OutboxTelemetry, SendResult } from '../core/outbox-ports.ts';
import { MAX_SEND_ATTEMPTS, type OwedMessage, waitAfter } from '../core/owed-message.ts';
import type { Clock } from '../core/ports.ts';
import { between, plus } from '../core/time.ts';

export interface SendDeps {
  readonly store: OutboxStore;
  readonly queue: OutboxQueue;
  readonly clock: Pick<Clock, 'now'>;
  readonly telemetry: OutboxTelemetry;
}

/** Messages and bytes of one batch. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
export const MAX_BATCH_MESSAGES = 10;
export const MAX_BATCH_BYTES = 1_048_576;

/** @throws what the store throws; messages after that point were not looked at. */
export async function sendOwed(deps: SendDeps, messages: readonly OwedMessage[]): Promise<void> {
  for (const batch of toBatches(messages, deps.queue)) {
    const results = await deps.queue.send(batch);
    await Promise.all(batch.map((message, n) => settle(deps, message, results[n] ?? UNMENTIONED)));
  }
}

const UNMENTIONED: SendResult = { kind: 'not-sent', reason: 'not mentioned in the answer' };

/** In order, as many at a time as fit. A message that fits no batch goes alone, for the queue to refuse. */
export function toBatches(
  messages: readonly OwedMessage[],
  queue: Pick<OutboxQueue, 'sizeOf'>,
): readonly (readonly OwedMessage[])[] {
  const batches: OwedMessage[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = queue.sizeOf(message);
    const last = batches.at(-1);
    if (last === undefined || last.length >= MAX_BATCH_MESSAGES || bytes + size > MAX_BATCH_BYTES) {
      batches.push([message]);
      bytes = size;
    } else {
      last.push(message);
      bytes += size;
    }
  }
  return batches;
}

async function settle(deps: SendDeps, message: OwedMessage, result: SendResult): Promise<void> {
  const now = deps.clock.now();
  switch (result.kind) {
    case 'sent':
      deps.telemetry.messageSent(message, between(message.createdAt, now));
      return deps.store.remove(message);
    case 'not-sent':
    case 'refused': {
      const attempts = message.attempts + 1;
      const isStuck = result.kind === 'refused' || attempts >= MAX_SEND_ATTEMPTS;
      deps.telemetry.messageNotSent(message, result.reason, isStuck);
      return deps.store.postpone(message, {
        state: isStuck ? 'stuck' : 'retry',
        attempts,
        dueAt: plus(now, waitAfter(attempts)),
      });
    }
    default:
      return assertNever(result);
  }
}
