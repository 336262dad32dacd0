import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, it } from 'vitest';
import type { ServiceCall } from '../../../../../local/gateway/gateway-service.ts';
import { dynamoDbService } from '../../../../../local/gateway/services/dynamodb.ts';
import { A_PLACE } from '../../fixtures/a-template.ts';
import { INBOX, OUTBOX } from '../../iam/a-role.ts';

const service = dynamoDbService(A_PLACE, 'http://127.0.0.1:1');

const read = (action: string, input: object): ServiceCall | undefined =>
  service.read({
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': `DynamoDB_20120810.${action}` },
    body: Buffer.from(JSON.stringify(input)),
  });

const onInbox = (Key: object = { id: { S: 'a' } }) => ({ TableName: 'Inbox', Key });

const KNOWN: readonly (readonly [string, object, readonly (readonly [string, string])[]])[] = [
  ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'DescribeTable', 'DescribeTimeToLive', 'Query', 'Scan'].map(
    (action) => [action, { TableName: 'Inbox' }, [[`dynamodb:${action}`, INBOX]]] as const,
  ),
  ['GetItem', { TableName: INBOX }, [['dynamodb:GetItem', INBOX]]],
  ['Query', { TableName: 'Inbox', IndexName: 'attention' }, [['dynamodb:Query', `${INBOX}/index/attention`]]],
  ['Scan', { TableName: 'Inbox', IndexName: 'attention' }, [['dynamodb:Scan', `${INBOX}/index/attention`]]],
  [
    'BatchGetItem',
    { RequestItems: { Inbox: {}, Outbox: {} } },
    [
      ['dynamodb:BatchGetItem', INBOX],
      ['dynamodb:BatchGetItem', OUTBOX],
    ],
  ],
  ['BatchWriteItem', { RequestItems: { Outbox: [] } }, [['dynamodb:BatchWriteItem', OUTBOX]]],
  ['ListTables', {}, [['dynamodb:ListTables', '*']]],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Update: onInbox() },
        { Put: { TableName: 'Outbox', Item: {} } },
        { Delete: { TableName: 'Outbox' } },
        { ConditionCheck: onInbox() },
      ],
    },
    [
      ['dynamodb:UpdateItem', INBOX],
      ['dynamodb:PutItem', OUTBOX],
      ['dynamodb:DeleteItem', OUTBOX],
      ['dynamodb:ConditionCheckItem', INBOX],
    ],
  ],
  [
    'TransactGetItems',
    { TransactItems: [{ Get: onInbox() }, { Get: { TableName: 'Outbox' } }] },
    [
      ['dynamodb:GetItem', INBOX],
      ['dynamodb:GetItem', OUTBOX],
    ],
  ],
];

describe('what IAM must allow for a request to DynamoDB', () => {
  it.each(KNOWN)('%s of %j is %j', (action, input, expected) => {
    const call = read(action, input);

    expect(call?.needs).toEqual(expected.map(([needed, resource]) => ({ action: needed, resource })));
  });

  it('is an action that IAM knows, on a resource that it can be granted for', async () => {
    const needs = KNOWN.flatMap(([, , expected]) => expected);

    for (const [action, resource] of needs) {
      const answer = await runSimulation(
        {
          request: {
            action,
            principal: 'arn:aws:iam::000000000000:role/Any',
            resource: { resource, accountId: '000000000000' },
            contextVariables: {},
          },
          identityPolicies: [
            {
              name: 'exact',
              policy: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: resource }] },
            },
          ],
          serviceControlPolicies: [],
          resourceControlPolicies: [],
        },
        {},
      );
      expect(answer, `${action} on ${resource}`).toMatchObject({ resultType: 'single', overallResult: 'Allowed' });
    }
  });

  it.each(['ExecuteStatement', 'CreateTable', 'DynamoDBStreams_20120810.GetRecords'])('is unknown for %s', (action) => {
    expect(read(action, { TableName: 'Inbox' })).toBeUndefined();
  });
});

describe('what a request to DynamoDB is about', () => {
  it.each([
    ['GetItem', onInbox(), 'Inbox {"id":{"S":"a"}}'],
    ['PutItem', { TableName: 'Inbox', Item: { id: { S: 'a' }, token: { S: 'x' } } }, 'Inbox {"S":"a"}'],
    [
      'TransactWriteItems',
      { TransactItems: [{ Update: onInbox() }, { Put: { TableName: 'Outbox' } }] },
      'Inbox {"id":{"S":"a"}}',
    ],
    ['ListTables', {}, ' '],
  ])('%s of %j is the first item', (action, input, subject) => {
    expect(read(action, input)?.subject).toBe(subject);
  });

  it.each([
    ['PutItem', onInbox(), 1],
    ['GetItem', onInbox(), 0],
    ['TransactWriteItems', { TransactItems: [{ Update: onInbox() }, { Put: onInbox() }] }, 2],
  ])('%s of %j has as many items in the way of a transaction: %d', (action, input, items) => {
    expect(read(action, input)?.items).toBe(items);
  });
});
