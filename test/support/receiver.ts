import type { Exchange } from '../../lambda/adapters/documents/https-request.ts';
import { createProviderDocuments } from '../../lambda/adapters/documents/provider-documents.ts';
import { createInboxStore } from '../../lambda/adapters/dynamodb/inbox-store.ts';
import { createSigningSecrets } from '../../lambda/adapters/secrets/signing-secrets.ts';
import type { Sources } from '../../lambda/authoring/define-sources.ts';
import type { EventOutcome, Rejection } from '../../lambda/core/outcome.ts';
import type { EndedEvent } from '../../lambda/core/ports.ts';
import { days, milliseconds, plus } from '../../lambda/core/time.ts';
import { requireSignable } from '../../lambda/operator/signable-source.ts';
import { createProcessEvent } from '../../lambda/process/process-event.ts';
import { signDelivery } from '../../lambda/providers/sign.ts';
import { createReceive } from '../../lambda/receive/receive.ts';
import { readRequest } from '../../lambda/receive/request.ts';
import { type HttpAnswer, respond } from '../../lambda/receive/respond.ts';
import { createMemoryStage, type DynamoStage, TABLES } from './dynamodb-stage.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

/** A delivery as the test describes it. */
export interface Delivery {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra fields of API Gateway's event. */
  readonly event?: Readonly<Record<string, unknown>>;
  readonly method?: string;
  readonly base64?: boolean;
}

/** The receiver from API Gateway's event to its answer, over an in-memory DynamoDB. */
export interface Receiver {
  readonly stage: DynamoStage;
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
    warn: () => {},
  };
  const secretsManager = {
    async send() {
      reads += 1;
      if (receiver.secretText instanceof Error) throw receiver.secretText;
      return { SecretString: receiver.secretText };
    },
  };
  const receive = createReceive({
    sources,
    clock,
    telemetry,
    maxBodyBytes,
    secrets: createSigningSecrets(secretsManager as never, 'signing', clock),
    documents: createProviderDocuments(exchange, clock),
    processEvent: createProcessEvent({
      inbox: createInboxStore(stage.client, TABLES),
      clock,
      chance: { token: () => `token-${++tokens}`, random: () => 0.5 },
      telemetry,
      window: days(14),
      joinMs: milliseconds(0),
      reservedTables: [TABLES.inbox, TABLES.outbox, TABLES.sequences],
      keysOf: () => undefined,
    }),
  });
  const receiver: Receiver = {
    stage,
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
      const { provider } = requireSignable(named);
      const signed = signDelivery(provider.scheme, secret ?? secrets[source]?.[0] ?? '', {
        id,
        timestamp: Math.floor(clock.now() / 1000) as never,
        body: typeof delivery.body === 'string' ? Buffer.from(delivery.body) : delivery.body,
      });
      return receiver.send(source, { ...delivery, headers: { ...signed, ...delivery.headers } });
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
