import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { decodeEnvelope } from '../lambda/core/envelope-codec.ts';
import { inboxKey } from '../lambda/core/inbox-key.ts';
import type { LocalAws } from '../local/local-aws.ts';
import type { Clients } from './clients.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Everything that a run has left behind. */
export interface Books {
  readonly accounts: readonly Row[];
  readonly outbox: readonly Row[];
  /** Rows of events, and of messages that were consumed. */
  readonly inbox: readonly Row[];
  /** Inbox keys of the events in the dead-letter queue, with how often each is there. */
  readonly parked: ReadonlyMap<string, number>;
  /** Outbox ids of the messages that the consumer has given up. */
  readonly unconsumed: ReadonlySet<string>;
  /** What was sent to the outbox queue, at least tried: bodies by outbox id. */
  readonly sent: ReadonlyMap<string, ReadonlySet<string>>;
  /** Calls to the outside by idempotency key. */
  readonly outsideCalls: ReadonlyMap<string, number>;
}

/** Longer than any run goes on. */
const HIDDEN_SECONDS = 3600;

/** Reads everything once; messages that were read are hidden from then on. */
export async function readBooks(
  { tables, queues }: Pick<LocalAws, 'tables' | 'queues'>,
  { dynamodb, sqs }: Clients,
  seen: Pick<Books, 'sent' | 'outsideCalls'>,
): Promise<Books> {
  const rowsOf = async (TableName: string | undefined): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for await (const page of paginateScan({ client: dynamodb }, { TableName, ConsistentRead: true }))
      rows.push(...(page.Items ?? []));
    return rows;
  };
  const messagesOf = async (QueueUrl: string | undefined): Promise<readonly Message[]> => {
    const messages: Message[] = [];
    for (;;) {
      const { Messages: more = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: HIDDEN_SECONDS,
          MessageAttributeNames: ['All'],
        }),
      );
      if (more.length === 0) return messages;
      messages.push(...more);
    }
  };
  const parked = new Map<string, number>();
  for (const { Body: body = '' } of await messagesOf(queues['eventsDlq'])) {
    const { source, eventId } = decodeEnvelope(body);
    const key = inboxKey(source, eventId);
    parked.set(key, (parked.get(key) ?? 0) + 1);
  }
  const unconsumed = (await messagesOf(queues['outboxDlq'])).map(
    ({ MessageAttributes: attributes = {} }) => attributes['id']?.StringValue ?? '',
  );
  return {
    accounts: await rowsOf(tables['accounts']),
    outbox: await rowsOf(tables['outbox']),
    inbox: await rowsOf(tables['inbox']),
    parked,
    unconsumed: new Set(unconsumed),
    ...seen,
  };
}
