import { describe, expect, it } from 'vitest';
import { consumer } from '../../../lambda/handlers/consumer.ts';
import { credit } from '../../../lambda/handlers/credit.ts';
import { onceConsumer, Permanent } from '../../../lambda/oncehook.ts';
import { attempt, attemptMessage } from '../../../lambda/testing.ts';

describe('the consumer of the example', () => {
  it('counts the receipts that a credit asks for', async () => {
    const { messages } = await attempt(async (_event, work) => credit(work, 'acct-1', 5), { body: {} });
    const [message] = messages;

    const attempted = await attemptMessage(consumer, { payload: message?.payload as { readonly account: string } });

    expect(attempted).toMatchObject({
      outcome: 'committed',
      writes: [
        {
          Update: {
            TableName: 'accounts',
            Key: { accountId: 'acct-1' },
            UpdateExpression: 'ADD receipts :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
    });
  });
});

describe('an attempt at a message', () => {
  it('gives the consumer what names it', async () => {
    const names: unknown[] = [];
    const naming = onceConsumer<{ readonly n: number }>(async (message) => void names.push(message));

    await attemptMessage(naming, { payload: { n: 1 }, id: 's#e#1', topic: 't', group: 'g' });

    expect(names).toEqual([{ id: 's#e#1', topic: 't', group: 'g', payload: { n: 1 } }]);
  });

  it('says what was thrown', async () => {
    const failing = onceConsumer(async () => {
      throw new Permanent('no such account');
    });

    expect(await attemptMessage(failing, { payload: {} })).toMatchObject({
      outcome: 'permanent',
      error: { message: 'no such account' },
    });
  });

  it('refuses to emit, as in production', async () => {
    const emitting = onceConsumer(async (_message, work) => {
      if ('emit' in work && typeof work.emit === 'function') work.emit('again', {});
    });

    expect(await attemptMessage(emitting, { payload: {} })).toMatchObject({ outcome: 'permanent', messages: [] });
  });
});
