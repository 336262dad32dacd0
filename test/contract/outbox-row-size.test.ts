import { describe, expect, it } from 'vitest';
import { createOutboxStore } from '../../lambda/adapters/dynamodb/outbox-store.ts';
import type { Work } from '../../lambda/core/handler.ts';
import { MAX_SEND_ATTEMPTS, type OwedMessage } from '../../lambda/core/owed-message.ts';
import { largestRowBytes, MAX_ROW_BYTES } from '../../lambda/core/owed-row-size.ts';
import { epochMs, plus } from '../../lambda/core/time.ts';
import { createLocalStage, type DynamoStage, TABLES } from '../support/dynamodb-stage.ts';
import { anEvent } from '../support/events.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { aMessage, rowOf } from '../support/outbox.ts';
import { createProtocol } from '../support/protocol.ts';

const ID = 'bazaar#evt_1#1';
const TOPIC = 'receipt.requested';
const GROUP = 'acct-1';

/** The payload, one text, whose row has so many bytes at its longest; not all of its characters are ASCII. */
function payloadFor(rowBytes: number): string {
  const start = 'é😀';
  const empty = largestRowBytes({ id: ID, topic: TOPIC, payload: JSON.stringify(start), group: GROUP });
  return start + 'x'.repeat(rowBytes - empty);
}

/** A time of which DynamoDB has to keep every digit. */
const NOW = epochMs(1_796_083_211_111);

const emitting = (stage: DynamoStage) => {
  const protocol = createProtocol(stage, { clock: createManualClock(NOW) });
  return (payload: string) =>
    protocol.process(anEvent({ receivedAt: NOW }), async (_event: unknown, work: Work) => {
      work.emit(TOPIC, payload, { group: GROUP });
    });
};

const owed = (payload: string, attempts: number): OwedMessage =>
  aMessage({
    id: ID,
    topic: TOPIC,
    group: GROUP,
    payload: JSON.stringify(payload),
    createdAt: NOW,
    dueAt: NOW,
    attempts,
  });

/** How the message is put off for the last time but one, when its row is longest. */
const LAST = { state: 'retry', attempts: MAX_SEND_ATTEMPTS - 1, dueAt: plus(NOW, 3_600_000) } as const;

describe('an outbox message on DynamoDB', () => {
  it('is committed when its row takes 400 KB at its longest, and can be put off', async () => {
    const stage = await createLocalStage();
    const payload = payloadFor(MAX_ROW_BYTES);

    expect(await emitting(stage)(payload)).toMatchObject({ kind: 'processed' });

    const message = owed(payload, 0);
    await createOutboxStore(stage.client, TABLES.outbox).postpone(message, LAST);
    expect(await stage.items('outbox')).toEqual([rowOf({ ...message, ...LAST })]);
  });

  it('with one byte more is given up before anything is sent, with its topic and size', async () => {
    const stage = await createLocalStage();

    const outcome = await emitting(stage)(payloadFor(MAX_ROW_BYTES + 1));

    expect(outcome).toMatchObject({
      kind: 'parked',
      reason: 'permanent',
      error: { message: "work.emit receipt.requested: the message's row would take 409601 bytes; at most 409600 fit" },
    });
    expect(stage.calls.map(({ name }) => name)).not.toContain('TransactWriteItemsCommand');
    expect(await stage.items('outbox')).toEqual([]);
  });

  it('with one byte more would be refused by DynamoDB', async () => {
    const stage = await createLocalStage();
    const message = owed(payloadFor(MAX_ROW_BYTES + 1), 0);
    await stage.put('outbox', rowOf(message));

    await expect(createOutboxStore(stage.client, TABLES.outbox).postpone(message, LAST)).rejects.toMatchObject({
      cause: { name: 'ValidationException' },
    });
  });
});
