import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../../lambda/core/ports.ts';

export const QUEUE_URL = 'https://queue.example/outbox';
export const DLQ_URL = 'https://queue.example/outbox-dlq';

/** What the stack sets on the queue. */
const MAX_RECEIVES = 5;
const VISIBILITY_MS = 180_000;

interface Stored {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly groupId: string | undefined;
  readonly sentAt: number;
  firstReceivedAt: number | undefined;
  receives: number;
  visibleAt: number;
}

/** The outbox queue and its DLQ behind the SQS client's interface, by the test's clock. Unknown requests are refused. */
export interface AnOutboxQueue {
  readonly client: Pick<SQSClient, 'send'>;
  readonly waiting: readonly Stored[];
  readonly deadLetters: readonly DeadLetter[];
  /** Every time that a message was hidden for, by its outbox id, in milliseconds. */
  readonly hides: readonly { readonly id: string | undefined; readonly ms: number }[];
  /** Called before each request: an error is its answer, and what never resolves is a process that died. */
  before: (command: string) => Promise<never> | Error | undefined;
  put(body: string, attributes: Readonly<Record<string, string>>, groupId?: string): void;
  /** At most ten visible messages as Lambda's event; those received too often go to the DLQ instead. */
  receive(): { readonly Records: readonly { readonly messageId: string }[] };
  /** What Lambda does after the answer: whatever it does not name is deleted. */
  settle(received: readonly { readonly messageId: string }[], kept: readonly string[]): void;
}

export interface DeadLetter {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  /** Sent by the consumer, or moved by SQS itself. */
  readonly by: 'consumer' | 'queue';
}

export function anOutboxQueue(clock: Pick<Clock, 'now'>, isFifo = false): AnOutboxQueue {
  const waiting: Stored[] = [];
  const deadLetters: DeadLetter[] = [];
  const hides: { id: string | undefined; ms: number }[] = [];
  let sent = 0;

  const remove = (message: Stored): void => void waiting.splice(waiting.indexOf(message), 1);
  const isInFlight = ({ visibleAt }: Stored): boolean => visibleAt > clock.now();

  const sendToDlq = ({ input }: SendMessageCommand): object => {
    if (input.QueueUrl !== DLQ_URL) throw new Error(`the consumer sends nothing to ${input.QueueUrl}`);
    if (isFifo !== (input.MessageGroupId !== undefined)) throw new Error('MissingParameter: MessageGroupId');
    const seen = deadLetters.some(({ deduplicationId }) => deduplicationId === (input.MessageDeduplicationId ?? ''));
    if (!seen) {
      deadLetters.push({
        body: input.MessageBody ?? '',
        attributes: Object.fromEntries(
          Object.entries(input.MessageAttributes ?? {}).map(([name, { StringValue = '' }]) => [name, StringValue]),
        ),
        groupId: input.MessageGroupId,
        deduplicationId: input.MessageDeduplicationId,
        by: 'consumer',
      });
    }
    return {};
  };
  const changeVisibility = ({ input }: ChangeMessageVisibilityCommand): object => {
    const message = waiting.find(({ messageId, receives }) => input.ReceiptHandle === `${messageId}/${receives}`);
    if (message === undefined || input.QueueUrl !== QUEUE_URL) throw new Error('ReceiptHandleIsInvalid');
    const ms = (input.VisibilityTimeout ?? 0) * 1000;
    hides.push({ id: message.attributes['id'], ms });
    message.visibleAt = clock.now() + ms;
    return {};
  };

  const made: AnOutboxQueue = {
    waiting,
    deadLetters,
    hides,
    before: () => undefined,
    client: {
      send: (async (command: object) => {
        const refused = await made.before(command.constructor.name);
        if (refused !== undefined) throw refused;
        if (command instanceof SendMessageCommand) return sendToDlq(command);
        if (command instanceof ChangeMessageVisibilityCommand) return changeVisibility(command);
        throw new Error(`unknown request ${command.constructor.name}`);
      }) as never,
    },
    put(body, attributes, groupId) {
      sent += 1;
      const messageId = `message-${sent}`;
      waiting.push({
        messageId,
        body,
        attributes,
        groupId: isFifo ? (groupId ?? messageId) : undefined,
        sentAt: clock.now(),
        firstReceivedAt: undefined,
        receives: 0,
        visibleAt: 0,
      });
    },
    receive() {
      const lockedGroups = new Set(waiting.filter(isInFlight).map(({ groupId }) => groupId ?? ''));
      const visible = waiting.filter(
        (message) => !isInFlight(message) && !(isFifo && lockedGroups.has(message.groupId ?? '')),
      );
      const worn = visible.filter(({ receives }) => receives >= MAX_RECEIVES);
      for (const message of worn) {
        remove(message);
        const { body, attributes, groupId } = message;
        deadLetters.push({ body, attributes, groupId, deduplicationId: undefined, by: 'queue' });
      }
      const received = visible.filter((message) => !worn.includes(message)).slice(0, 10);
      for (const message of received) {
        message.receives += 1;
        message.firstReceivedAt ??= clock.now();
        message.visibleAt = clock.now() + VISIBILITY_MS;
      }
      return { Records: received.map(toRecord) };
    },
    settle(received, kept) {
      const done = received.filter(({ messageId }) => !kept.includes(messageId));
      for (const message of waiting.filter(({ messageId }) => done.some((one) => one.messageId === messageId))) {
        remove(message);
      }
    },
  };
  return made;
}

const toRecord = (message: Stored) => ({
  messageId: message.messageId,
  receiptHandle: `${message.messageId}/${message.receives}`,
  body: message.body,
  attributes: {
    ApproximateReceiveCount: String(message.receives),
    SentTimestamp: String(message.sentAt),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? ''),
    ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
  },
  messageAttributes: Object.fromEntries(
    Object.entries(message.attributes).map(([name, stringValue]) => [name, { dataType: 'String', stringValue }]),
  ),
});
