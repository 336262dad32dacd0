import { describe, expect, it } from 'vitest';
import { createMemoryStage, type DynamoStage } from '../../support/dynamodb-stage.ts';
import { anEvent } from '../../support/events.ts';
import { itemSize } from '../../support/memory-dynamodb/item-size.ts';
import { createProtocol, credit } from '../../support/protocol.ts';

/**
 * Write units by AWS's rules: one a started KB, twice that in a transaction.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
const units = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

async function largest(stage: DynamoStage, table: 'inbox' | 'outbox' | 'accounts'): Promise<number> {
  return Math.max(0, ...(await stage.rawItems(table)).map((item) => itemSize(item)));
}

describe('what an event costs', () => {
  it('is seven write units before dispatch for one write and one message', async () => {
    const { stage, process } = createProtocol(await createMemoryStage());
    let claimBytes = 0;

    await process(anEvent(), async (event, work) => {
      claimBytes = await largest(stage, 'inbox');
      return credit()(event, work);
    });

    const inTransaction = [
      await largest(stage, 'inbox'),
      await largest(stage, 'accounts'),
      await largest(stage, 'outbox'),
    ];
    const commit = inTransaction.reduce((sum, bytes) => sum + 2 * units(bytes), 0);
    expect([units(claimBytes), commit]).toEqual([1, 6]);
    expect(stage.calls.map(({ name }) => name)).toEqual(['PutItemCommand', 'TransactWriteItemsCommand']);
  });

  it('is one write unit and no read for a duplicate of a finished event', async () => {
    const { stage, process } = createProtocol(await createMemoryStage());
    await process(anEvent(), credit());
    const before = stage.calls.length;

    await process(anEvent(), credit());

    // A refused conditional put is charged by the item that is there.
    expect(stage.calls.slice(before).map(({ name }) => name)).toEqual(['PutItemCommand']);
    expect(units(await largest(stage, 'inbox'))).toBe(1);
  });

  it('does not grow with the inbox', async () => {
    const { stage, process } = createProtocol(await createMemoryStage());
    const callsOf = async (eventId: string): Promise<number> => {
      const before = stage.calls.length;
      await process(anEvent({ eventId }), credit());
      return stage.calls.length - before;
    };

    const first = await callsOf('first');
    for (let n = 0; n < 300; n += 1) await callsOf(`event-${n}`);

    expect(await callsOf('last')).toBe(first);
  });
});
