import { describe, expect, it } from 'vitest';
import { sqsService } from '../../../../../local/gateway/services/sqs.ts';
import { A_PLACE } from '../../fixtures/a-template.ts';

const service = sqsService(A_PLACE, 'http://127.0.0.1:1');
const ARN = 'arn:aws:sqs:us-east-1:000000000000:outbox.fifo';
const QueueUrl = 'http://127.0.0.1:1/000000000000/outbox.fifo';

const read = (action: string, input: object) =>
  service.read({
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': `AmazonSQS.${action}` },
    body: Buffer.from(JSON.stringify(input)),
  });

const parsed = (answer: ReturnType<typeof service.describeError>) => ({
  status: answer.status,
  queryError: answer.headers[answer.headers.indexOf('x-amzn-query-error') + 1],
  body: JSON.parse(answer.body.toString()),
});

describe('what IAM must allow for a request to SQS', () => {
  it.each([
    ['SendMessage', 'SendMessage'],
    ['SendMessageBatch', 'SendMessage'],
    ['ReceiveMessage', 'ReceiveMessage'],
    ['DeleteMessage', 'DeleteMessage'],
    ['DeleteMessageBatch', 'DeleteMessage'],
    ['ChangeMessageVisibility', 'ChangeMessageVisibility'],
    ['ChangeMessageVisibilityBatch', 'ChangeMessageVisibility'],
    ['GetQueueAttributes', 'GetQueueAttributes'],
  ])('%s on the queue of its URL is sqs:%s', (action, needed) => {
    expect(read(action, { QueueUrl })?.needs).toEqual([{ action: `sqs:${needed}`, resource: ARN }]);
  });

  it('is asked for a queue by its name', () => {
    expect(read('GetQueueUrl', { QueueName: 'outbox.fifo' })?.needs).toEqual([
      { action: 'sqs:GetQueueUrl', resource: ARN },
    ]);
  });

  it('is unknown for an action that nobody wrote down', () => {
    expect(read('PurgeQueue', { QueueUrl })).toBeUndefined();
  });
});

describe('what a request to SQS is about', () => {
  it.each([
    ['SendMessage', { MessageBody: 'b' }, 'outbox.fifo b'],
    ['SendMessageBatch', { Entries: [{ Id: '0', MessageBody: 'b' }, { Id: '1' }] }, 'outbox.fifo b'],
    ['SendMessageBatch', { Entries: [{ MessageBody: 'b', MessageDeduplicationId: 'd' }] }, 'outbox.fifo d'],
    ['DeleteMessage', { ReceiptHandle: 'r' }, 'outbox.fifo r'],
  ])('%s of %j is its queue and first message', (action, input, subject) => {
    expect(read(action, { QueueUrl, ...input })?.subject).toBe(subject);
  });
});

describe('a refusal of SQS', () => {
  it.each([
    ['AccessDeniedException', 400, 'com.amazon.coral.service#AccessDeniedException', 'AccessDenied;Sender'],
    ['InternalFailure', 500, 'com.amazon.coral.service#InternalFailure', 'InternalFailure;Receiver'],
    ['QueueDoesNotExist', 400, 'com.amazonaws.sqs#QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue;Sender'],
  ])('%s has its names in both protocols', (code, status, type, queryError) => {
    expect(parsed(service.describeError({ code, message: 'm' }))).toEqual({
      status,
      queryError,
      body: { __type: type, message: 'm' },
    });
  });

  it('for want of capacity is one that the SDK tries again', () => {
    const call = read('SendMessage', { QueueUrl });
    if (call === undefined) throw new Error('not read');

    expect(parsed(service.describeThrottling(call, undefined)).body['__type']).toBe(
      'com.amazonaws.sqs#RequestThrottled',
    );
    expect(service.describeConflict(call, 0)).toBeUndefined();
  });
});
