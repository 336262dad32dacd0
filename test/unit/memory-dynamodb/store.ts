import { type AttributeValue, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { createMemoryDynamoDB, type MemoryDynamoDB } from '../../support/memory-dynamodb/memory-dynamodb.ts';
import { EVENTS, event, parityTables } from '../../support/memory-dynamodb/parity/parity-case.ts';

export interface Refusal {
  readonly name: string;
  readonly message: string;
  readonly Item?: Record<string, AttributeValue>;
  readonly CancellationReasons?: readonly unknown[];
}

/** A store with the parity tables, holding the given events. */
export async function storeWith(
  events: readonly Record<string, AttributeValue>[] = [],
  options: { readonly now?: () => number } = {},
): Promise<MemoryDynamoDB> {
  const store = createMemoryDynamoDB(options);
  for (const command of parityTables()) await store.send(command);
  for (const Item of events) await store.send(new PutItemCommand({ TableName: EVENTS, Item }));
  return store;
}

export const putEvent = (attributes: Record<string, AttributeValue> = {}, id = 'e1'): PutItemCommand =>
  new PutItemCommand({ TableName: EVENTS, Item: event(attributes, id) });

export const addToEvent = (amount: string, id = 'e1'): UpdateItemCommand =>
  new UpdateItemCommand({
    TableName: EVENTS,
    Key: { id: { S: id } },
    UpdateExpression: 'ADD n :amount',
    ExpressionAttributeValues: { ':amount': { N: amount } },
  });

/** The error a request ends in; fails when it succeeds. */
export const refusalOf = (sent: Promise<unknown>): Promise<Refusal> =>
  sent.then(
    () => expect.unreachable('the request was not refused'),
    (error: Refusal) => error,
  );
