/**
 * Dispatch: the stream rings when a commit has written a message, and the message is sent.
 *
 * The stream is a doorbell and not the store. A record that cannot be read or sent is no reason to
 * hold up the shard: its row stays, and the sweep finds it. Only when a row cannot be settled, because
 * DynamoDB does not answer, does Lambda get the record again.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */

import type { OwedRow } from '../core/outbox-ports.ts';
import type { OwedMessage } from '../core/owed-message.ts';
import type { Clock, Invocation } from '../core/ports.ts';
import { type SendDeps, sendOwed } from './send-owed.ts';

/** One record of the stream, read. */
export interface StreamRecord {
  readonly sequenceNumber: string;
  readonly row: OwedRow;
}

/** What Lambda takes as the answer for a batch; an empty list is success. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** Records that are sent before the time is looked at again. */
const AT_A_TIME = 10;

/** Below this the rest goes back to Lambda: a time-out would bring back the whole batch. */
const TIME_TO_ANSWER_MS = 3000;

export async function dispatchBatch(
  deps: SendDeps & { readonly clock: Pick<Clock, 'now'> },
  records: readonly StreamRecord[],
  invocation: Pick<Invocation, 'endsAt'>,
): Promise<BatchResponse> {
  for (let from = 0; from < records.length; from += AT_A_TIME) {
    const chunk = records.slice(from, from + AT_A_TIME);
    if (invocation.endsAt - deps.clock.now() < TIME_TO_ANSWER_MS) return failedFrom(chunk);
    try {
      await sendOwed(
        deps,
        chunk.flatMap((record) => readable(deps, record)),
      );
    } catch (error) {
      deps.telemetry.warn('messages of the stream could not be settled', { error: nameOf(error) });
      return failedFrom(chunk);
    }
  }
  return { batchItemFailures: [] };
}

function readable(deps: SendDeps, { row }: StreamRecord): readonly OwedMessage[] {
  if (row.kind === 'owed') return [row.message];
  deps.telemetry.warn('a record of the stream cannot be read; the sweep sets its row aside', {
    id: row.id,
    reason: row.reason,
  });
  return [];
}

/** Lambda comes again from the lowest number on; '' brings back the whole batch, should the number be missing. */
const failedFrom = ([first]: readonly StreamRecord[]): BatchResponse => ({
  batchItemFailures: [{ itemIdentifier: first?.sequenceNumber ?? '' }],
});

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
