import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Envelope } from '../../core/envelope.ts';
import { OncehookError } from '../../core/errors.ts';
import type { BodyStore, DeadLetters, EventsQueue } from '../../core/event-ports.ts';
import type { DurationMs } from '../../core/time.ts';
import { MAX_INLINE_MESSAGE_BYTES, toEventMessage } from './event-message.ts';
import { MAX_BATCH_MESSAGES, MAX_MESSAGE_BYTES } from './message-body.ts';

/**
 * Longest delay in seconds.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const MAX_DELAY_SECONDS = 900;

/** Batches under way at once: enough to send the thousand events of a large delivery within a second. */
const BATCHES_AT_ONCE = 5;

type Client = Pick<SQSClient, 'send'>;

/** The events queue in SQS. */
export function createEventsQueue(client: Client, url: string, bodies: BodyStore): EventsQueue {
  return {
    async send(envelope, delay) {
      const message = await toEventMessage(envelope, bodies);
      await sendOne(client, url, message, delay);
    },
    async sendAll(envelopes) {
      try {
        // A delivery's bytes are in each of its events. Where they do not fit one batch together, they are stored once.
        const most = Math.floor(MAX_INLINE_MESSAGE_BYTES / Math.max(1, envelopes.length));
        const shared = storingOnce(bodies);
        const messages = await Promise.all(envelopes.map((envelope) => toEventMessage(envelope, shared, most)));
        return await sendInBatches(client, url, messages);
      } catch (error) {
        if (!(error instanceof OncehookError)) throw error;
        return envelopes.map(() => false);
      }
    },
  };
}

/** The dead-letter queue in SQS, as far as we fill it ourselves. */
export const createDeadLetters = (client: Client, url: string, bodies: BodyStore): DeadLetters => ({
  async send(envelope: Envelope) {
    await sendOne(client, url, await toEventMessage(envelope, bodies));
  },
});

async function sendOne(client: Client, url: string, body: string, delay?: DurationMs): Promise<void> {
  try {
    await client.send(
      new SendMessageCommand({
        QueueUrl: url,
        MessageBody: body,
        ...(delay === undefined ? {} : { DelaySeconds: Math.min(MAX_DELAY_SECONDS, Math.ceil(delay / 1000)) }),
      }),
    );
  } catch (error) {
    throw new OncehookError('QUEUE_UNAVAILABLE', `send: ${error instanceof Error ? error.name : 'unknown'}`, {
      retryable: true,
      cause: error,
    });
  }
}

async function sendInBatches(client: Client, url: string, messages: readonly string[]): Promise<readonly boolean[]> {
  const accepted = messages.map(() => false);
  const batches = toBatches(messages).values();
  const sender = async (): Promise<void> => {
    for (const batch of batches) {
      for (const n of await acceptedOf(client, url, batch)) accepted[n] = true;
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, sender));
  return accepted;
}

type Numbered = readonly [n: number, message: string];

function toBatches(messages: readonly string[]): readonly (readonly Numbered[])[] {
  const batches: Numbered[][] = [];
  let bytes = 0;
  for (const [n, message] of messages.entries()) {
    const size = Buffer.byteLength(message);
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_BATCH_MESSAGES || bytes + size > MAX_MESSAGE_BYTES) {
      batches.push([[n, message]]);
      bytes = size;
    } else {
      last.push([n, message]);
      bytes += size;
    }
  }
  return batches;
}

/** What the answer does not mention was not accepted. */
async function acceptedOf(client: Client, url: string, batch: readonly Numbered[]): Promise<readonly number[]> {
  const entries = batch.map(([n, body]): SendMessageBatchRequestEntry => ({ Id: String(n), MessageBody: body }));
  try {
    const { Successful: successful = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }),
    );
    const ids = new Set(successful.map(({ Id: id }) => id));
    return batch.flatMap(([n]) => (ids.has(String(n)) ? [n] : []));
  } catch {
    return [];
  }
}

/** The same body under the same key is one request. */
function storingOnce(bodies: BodyStore): BodyStore {
  const puts = new Map<string, ReturnType<BodyStore['put']>>();
  return {
    ...bodies,
    put(key, bytes) {
      const put = puts.get(key) ?? bodies.put(key, bytes);
      puts.set(key, put);
      return put;
    },
  };
}
