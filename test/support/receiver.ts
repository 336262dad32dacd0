import type { Exchange } from '../../lambda/adapters/documents/https-request.ts';
import { createProviderDocuments } from '../../lambda/adapters/documents/provider-documents.ts';
import { createInboxStore } from '../../lambda/adapters/dynamodb/inbox-store.ts';
import { createSigningSecrets } from '../../lambda/adapters/secrets/signing-secrets.ts';
import { createDeadLetters, createEventsQueue } from '../../lambda/adapters/sqs/events-queue.ts';
import { createMessageVisibility } from '../../lambda/adapters/sqs/message-visibility.ts';
import type { Sources } from '../../lambda/authoring/define-sources.ts';
import type { Envelope } from '../../lambda/core/envelope.ts';
import { decodeEnvelope } from '../../lambda/core/envelope-codec.ts';
import type { EventOutcome, Rejection } from '../../lambda/core/outcome.ts';
import type { EndedEvent } from '../../lambda/core/ports.ts';
import type { MessageFate } from '../../lambda/core/queue-message.ts';
import { days, milliseconds, plus, seconds } from '../../lambda/core/time.ts';
import { requireSignable } from '../../lambda/operator/signable-source.ts';
import { createProcessEvent } from '../../lambda/process/process-event.ts';
import { createReceive } from '../../lambda/receive/receive.ts';
import { readRequest } from '../../lambda/receive/request.ts';
import { type HttpAnswer, respond } from '../../lambda/receive/respond.ts';
import { createWork } from '../../lambda/work/work.ts';
import { createMemoryStage, type DynamoStage, TABLES } from './dynamodb-stage.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createMemoryBodies } from './memory-bodies.ts';
import { createMemoryQueues, type MemoryQueues } from './memory-queues.ts';

/** A delivery as the test describes it. */
export interface Delivery {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra fields of API Gateway's event. */
  readonly event?: Readonly<Record<string, unknown>>;
  readonly method?: string;
  readonly base64?: boolean;
}

/** Queues of every test. */
export const EVENTS = 'https://sqs.example/events';
export const DEAD_LETTERS = 'https://sqs.example/events-dlq';

/** Attempts after which an event is parked. */
export const MAX_ATTEMPTS = 3;

/** The receiver from API Gateway's event to its answer, and the worker behind it, over a DynamoDB and queues in memory. */
export interface Receiver {
  readonly stage: DynamoStage;
  readonly queues: MemoryQueues;
  /** Bodies that did not fit a message, by key. */
  readonly stored: ReadonlyMap<string, Uint8Array>;
  readonly queued: () => readonly Envelope[];
  readonly parked: () => readonly Envelope[];
  /** Gives the worker the next visible message. */
  work(): Promise<MessageFate | 'nothing'>;
  /** Gives the worker every visible message. */
  workAll(): Promise<void>;
  /** Outcomes with the events they belong to, but for those that were only queued. */
  endings(): readonly { readonly eventId: string; readonly kind: EventOutcome['kind'] }[];
  /** Puts what is in the dead-letter queue back to work, as it is. */
  redrive(): void;
  readonly clock: ManualClock;
  /** Text of the secret in Secrets Manager, or what a read fails with. */
  secretText: string | Error;
  readonly secretReads: () => number;
  readonly outcomes: readonly EventOutcome[];
  /** What telemetry was told of the event of each outcome. */
  readonly ended: readonly EndedEvent[];
  readonly rejections: readonly Rejection[];
  /** Sends as it is. */
  send(source: string, delivery: Delivery): Promise<HttpAnswer>;
  /** Signs as the source's provider would, now, and sends. */
  sendSigned(
    source: string,
    delivery: Delivery & { readonly id?: string; readonly secret?: string },
  ): Promise<HttpAnswer>;
}

export async function createReceiver(
  sources: Sources,
  secrets: Readonly<Record<string, readonly string[]>>,
  maxBodyBytes = 1000,
  exchange: Exchange = async () => ({ kind: 'unavailable', reason: 'this test has no provider to ask' }),
): Promise<Receiver> {
  const stage = await createMemoryStage();
  const clock = createManualClock();
  const outcomes: EventOutcome[] = [];
  const ended: EndedEvent[] = [];
  const rejections: Rejection[] = [];
  let reads = 0;
  let tokens = 0;
  const telemetry = {
    eventEnded(event: EndedEvent, outcome: EventOutcome) {
      ended.push(event);
      outcomes.push(outcome);
    },
    deliveryRejected: (_request: unknown, rejection: Rejection) => void rejections.push(rejection),
    attemptMeasured: () => {},
    warn: () => {},
  };
  const secretsManager = {
    async send() {
      reads += 1;
      if (receiver.secretText instanceof Error) throw receiver.secretText;
      return { SecretString: receiver.secretText };
    },
  };
  const queues = createMemoryQueues(clock);
  const objects = createMemoryBodies();
  const processDeps = {
    inbox: createInboxStore(stage.client, TABLES),
    clock,
    chance: { token: () => `token-${++tokens}`, random: () => 0.5 },
    telemetry,
    window: days(14),
    joinMs: milliseconds(0),
    maxAttempts: MAX_ATTEMPTS,
    retryAfter: seconds(30),
    reservedTables: [TABLES.inbox, TABLES.outbox, TABLES.sequences],
    keysOf: () => undefined,
  };
  const shared = {
    ...processDeps,
    sources,
    events: createEventsQueue(queues.client, EVENTS, objects.bodies),
    deadLetters: createDeadLetters(queues.client, DEAD_LETTERS, objects.bodies),
    processEvent: createProcessEvent(processDeps),
  };
  const receive = createReceive({
    ...shared,
    maxBodyBytes,
    secrets: createSigningSecrets(secretsManager as never, 'signing', clock),
    documents: createProviderDocuments(exchange, clock),
  });
  const work = createWork({
    ...shared,
    bodies: objects.bodies,
    visibility: createMessageVisibility(queues.client, EVENTS, telemetry),
  });
  const receiver: Receiver = {
    stage,
    queues,
    stored: objects.stored,
    queued: () => queues.messages(EVENTS).map(({ body }) => decodeEnvelope(body)),
    parked: () => queues.messages(DEAD_LETTERS).map(({ body }) => decodeEnvelope(body)),
    async work() {
      const message = queues.receive(EVENTS, 720_000);
      if (message === undefined) return 'nothing';
      const invocation = { endsAt: plus(clock.now(), 120_000), signal: new AbortController().signal };
      const fate = await work(message, invocation);
      if (fate === 'done') queues.delete(EVENTS, message.messageId);
      return fate;
    },
    async workAll() {
      while ((await receiver.work()) !== 'nothing');
    },
    endings: () =>
      outcomes.flatMap(({ kind }, n) => (kind === 'queued' ? [] : [{ eventId: ended[n]?.eventId ?? '', kind }])),
    redrive() {
      for (const { messageId, body } of [...queues.messages(DEAD_LETTERS)]) {
        queues.put(EVENTS, body);
        queues.delete(DEAD_LETTERS, messageId);
      }
    },
    clock,
    outcomes,
    ended,
    rejections,
    secretText: JSON.stringify(secrets),
    secretReads: () => reads,
    async send(source, delivery) {
      const request = readRequest(toApiEvent(source, delivery), clock.now());
      if (request === undefined) throw new Error('not a request');
      return respond(
        await receive(request, { endsAt: plus(clock.now(), 10_000), signal: new AbortController().signal }),
      );
    },
    sendSigned(source, { id = 'msg_1', secret, ...delivery }) {
      const named = sources.get(source);
      if (named === undefined) throw new Error(`no source ${source}`);
      const { signer, publicUrl } = requireSignable(named);
      const { headers } = signer.sign(secret ?? secrets[source]?.[0] ?? '', {
        id,
        timestamp: Math.floor(clock.now() / 1000) as never,
        body: typeof delivery.body === 'string' ? Buffer.from(delivery.body) : delivery.body,
        url: publicUrl,
      });
      return receiver.send(source, { ...delivery, headers: { ...headers, ...delivery.headers } });
    },
  };
  return receiver;
}

/** API Gateway's event in payload format 2.0, as far as the receiver reads it. */
export function toApiEvent(
  source: string,
  { body, headers = {}, event = {}, method = 'POST', base64 }: Delivery,
): object {
  const isBase64 = base64 ?? typeof body !== 'string';
  return {
    version: '2.0',
    routeKey: 'ANY /webhooks/{source}',
    rawPath: `/webhooks/${source}`,
    rawQueryString: '',
    headers,
    requestContext: { http: { method, path: `/webhooks/${source}` }, requestId: 'request-1', stage: '$default' },
    pathParameters: { source },
    body: isBase64 ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: isBase64,
    ...event,
  };
}
