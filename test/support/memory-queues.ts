import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../../lambda/core/ports.ts';
import type { QueueMessage } from '../../lambda/core/queue-message.ts';
import type { EpochMs } from '../../lambda/core/time.ts';

export interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: EpochMs;
  visibleAt: number;
  receives: number;
}

/** Queues in memory behind the SQS client's interface: they keep time by the test's clock and refuse what they do not know. */
export interface MemoryQueues {
  readonly client: Pick<SQSClient, 'send'>;
  /** What is in a queue, by its URL. */
  messages(url: string): readonly StoredMessage[];
  /** The next visible message, hidden for `hideMs`; `undefined` when none is. */
  receive(url: string, hideMs: number): QueueMessage | undefined;
  put(url: string, body: string): void;
  delete(url: string, messageId: string): void;
  /** Called before each request, with the queue's URL; what it throws is the answer. */
  before: (url: string, command: string) => void;
  /** Which entries of a batch are not accepted. */
  refuses: (body: string) => boolean;
}

export function createMemoryQueues(clock: Pick<Clock, 'now'>): MemoryQueues {
  const queues = new Map<string, StoredMessage[]>();
  let sent = 0;
  const queueOf = (url: string): StoredMessage[] => {
    const queue = queues.get(url) ?? [];
    queues.set(url, queue);
    return queue;
  };
  const put = (url: string, body: string, delaySeconds = 0): void => {
    sent += 1;
    queueOf(url).push({
      messageId: `message-${sent}`,
      body,
      sentAt: clock.now(),
      visibleAt: clock.now() + delaySeconds * 1000,
      receives: 0,
    });
  };
  const send = async (command: unknown): Promise<unknown> => {
    const { input } = command as { readonly input: { readonly QueueUrl?: string } };
    const url = input.QueueUrl ?? '';
    made.before(url, (command as object).constructor.name);
    if (command instanceof SendMessageCommand) {
      put(url, command.input.MessageBody ?? '', command.input.DelaySeconds);
      return {};
    }
    if (command instanceof SendMessageBatchCommand) {
      const entries = command.input.Entries ?? [];
      if (entries.length > 10) throw new Error('TooManyEntriesInBatchRequest');
      const accepted = entries.filter(({ MessageBody: body = '' }) => !made.refuses(body));
      for (const { MessageBody: body = '' } of accepted) put(url, body);
      return {
        Successful: accepted.map(({ Id }) => ({ Id })),
        Failed: entries.filter((entry) => !accepted.includes(entry)).map(({ Id }) => ({ Id, SenderFault: false })),
      };
    }
    if (command instanceof ChangeMessageVisibilityCommand) {
      const message = queueOf(url).find(({ messageId }) => command.input.ReceiptHandle === `receipt ${messageId}`);
      if (message !== undefined) message.visibleAt = clock.now() + (command.input.VisibilityTimeout ?? 0) * 1000;
      return {};
    }
    throw new Error(`the queues in memory do not know ${(command as object).constructor.name}`);
  };
  const made: MemoryQueues = {
    client: { send: send as never },
    messages: queueOf,
    put,
    receive(url, hideMs) {
      const message = queueOf(url).find(({ visibleAt }) => visibleAt <= clock.now());
      if (message === undefined) return undefined;
      message.receives += 1;
      message.visibleAt = clock.now() + hideMs;
      const { messageId, body, receives } = message;
      return {
        messageId,
        receipt: `receipt ${messageId}`,
        body,
        receives,
        sentAt: message.sentAt,
        firstReceivedAt: undefined,
        groupId: undefined,
        attributes: {},
      };
    },
    delete(url, messageId) {
      const queue = queueOf(url);
      queue.splice(0, queue.length, ...queue.filter((message) => message.messageId !== messageId));
    },
    before: () => {},
    refuses: () => false,
  };
  return made;
}
