/**
 * Longest message in bytes, attributes and all; a batch of messages is held to the same.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Most messages of one batch. */
export const MAX_BATCH_MESSAGES = 10;

/**
 * JSON as SQS takes it: two characters that JSON may have as they are and SQS may not; escaped, they mean the same.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export const toMessageBody = (json: string): string =>
  json.replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff');
