import type { QueueMessage } from '../core/queue-message.ts';
import { type EpochMs, epochMs } from '../core/time.ts';

/**
 * The messages of an SQS event.
 *
 * @throws TypeError when it is none: then nothing is deleted.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 */
export function readMessages(event: unknown): readonly QueueMessage[] {
  const records = at(event, 'Records');
  if (!Array.isArray(records)) throw new TypeError('not an event of an SQS queue');
  return records.map((record: unknown) => {
    const system = at(record, 'attributes');
    const groupId = at(system, 'MessageGroupId');
    return {
      messageId: text(at(record, 'messageId')),
      receipt: text(at(record, 'receiptHandle')),
      body: text(at(record, 'body')),
      receives: Number(text(at(system, 'ApproximateReceiveCount'))) || 1,
      sentAt: instant(at(system, 'SentTimestamp')),
      firstReceivedAt: instant(at(system, 'ApproximateFirstReceiveTimestamp')),
      groupId: typeof groupId === 'string' ? groupId : undefined,
      attributes: attributesOf(at(record, 'messageAttributes')),
    };
  });
}

function attributesOf(given: unknown): Readonly<Record<string, string>> {
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, attribute]) => {
      const value = at(attribute, 'stringValue');
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** SQS writes milliseconds as text. */
const instant = (value: unknown): EpochMs | undefined => {
  const digits = text(value);
  return /^\d{1,15}$/.test(digits) ? epochMs(Number(digits)) : undefined;
};
