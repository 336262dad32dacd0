import type { Message } from '@aws-sdk/client-sqs';

/** A message as a function gets it in its event. */
export interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** `ApproximateReceiveCount`, `SentTimestamp` and the rest, as texts. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, QueueRecordAttribute>>;
  readonly md5OfBody: string;
  readonly md5OfMessageAttributes?: string;
  readonly eventSource: 'aws:sqs';
  readonly eventSourceARN: string;
  readonly awsRegion: string;
}

interface QueueRecordAttribute {
  readonly stringValue?: string;
  /** In base64. */
  readonly binaryValue?: string;
  readonly stringListValues: readonly string[];
  readonly binaryListValues: readonly string[];
  readonly dataType: string;
}

/**
 * Makes Lambda's record of a message that SQS gave out.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 */
export function buildQueueRecord(message: Message, queueArn: string, region: string): QueueRecord {
  const { MessageAttributes: own = {}, MD5OfMessageAttributes: md5 } = message;
  const messageAttributes = Object.entries(own).map(([name, value]) => [
    name,
    {
      ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
      ...(value.BinaryValue !== undefined && { binaryValue: Buffer.from(value.BinaryValue).toString('base64') }),
      stringListValues: [],
      binaryListValues: [],
      dataType: value.DataType ?? '',
    },
  ]);
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: { ...message.Attributes },
    messageAttributes: Object.fromEntries(messageAttributes),
    md5OfBody: message.MD5OfBody ?? '',
    ...(md5 !== undefined && { md5OfMessageAttributes: md5 }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}
