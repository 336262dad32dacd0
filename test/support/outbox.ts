import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createOutboxStore } from '../../lambda/adapters/dynamodb/outbox-store.ts';
import { createOutboxQueue } from '../../lambda/adapters/sqs/outbox-queue.ts';
import type { OutboxTelemetry } from '../../lambda/core/outbox-ports.ts';
import type { OwedMessage } from '../../lambda/core/owed-message.ts';
import { type DynamoStage, TABLES } from './dynamodb-stage.ts';
import { createManualClock, T0 } from './manual-clock.ts';

export const aMessage = (changes: Partial<OwedMessage> = {}): OwedMessage => ({
  id: 'stripe#evt_1#1',
  topic: 'receipt.requested',
  payload: '{"amount":5}',
  group: undefined,
  createdAt: T0,
  dueAt: T0,
  state: 'new',
  attempts: 0,
  ...changes,
});

/** The row of a message as the commit writes it. */
export const rowOf = ({ createdAt, dueAt, group, ...message }: OwedMessage): Record<string, unknown> => ({
  ...message,
  createdAtMs: createdAt,
  dueAtMs: dueAt,
  ...(group === undefined ? {} : { group }),
});

type Batch = SendMessageBatchCommand['input'];
type BatchAnswer = {
  readonly Successful?: readonly { readonly Id: string }[];
  readonly Failed?: readonly { readonly Id: string; readonly SenderFault: boolean; readonly Code: string }[];
};

/** The outbox over one DynamoDB and a queue that answers as the test says. */
export function createOutbox(stage: DynamoStage, isFifo = false) {
  const clock = createManualClock();
  const batches: Batch[] = [];
  const told: unknown[] = [];
  const controls: { answer: (batch: Batch) => BatchAnswer | Error } = {
    answer: (batch) => ({ Successful: (batch.Entries ?? []).map(({ Id }) => ({ Id: Id ?? '' })) }),
  };
  const client = {
    async send(command: SendMessageBatchCommand) {
      batches.push(command.input);
      const answer = controls.answer(command.input);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const telemetry: OutboxTelemetry = {
    messageSent: ({ id }, lag) => void told.push({ sent: id, lag }),
    messageNotSent: ({ id }, reason, isStuck) => void told.push({ notSent: id, reason, isStuck }),
    swept: (oldest, stuck) => void told.push({ oldest, stuck }),
    warn: (message, fields) => void told.push({ warning: message, ...fields }),
  };
  return {
    clock,
    batches,
    told,
    controls,
    ids: () =>
      batches.flatMap(({ Entries = [] }) =>
        Entries.map(({ MessageAttributes }) => MessageAttributes?.['id']?.StringValue),
      ),
    deps: {
      store: createOutboxStore(stage.client, TABLES.outbox),
      queue: createOutboxQueue(client as unknown as Pick<SQSClient, 'send'>, {
        url: 'https://queue.example/outbox',
        isFifo,
      }),
      clock,
      telemetry,
    },
  };
}
