/**
 * One delivery, from request to outcome: verify → identify → for each event claim → handle → commit.
 * Nothing is written before the signature over the raw bytes is verified.
 */
import type { Source, Sources } from '../authoring/define-sources.ts';
import type { ProviderDocuments } from '../core/document-ports.ts';
import type { InboundEvent, InboundRequest } from '../core/event.ts';
import type { EventRule } from '../core/handler.ts';
import type { DeliveryOutcome, EventEnding, EventOutcome, Rejection } from '../core/outcome.ts';
import type { Clock, Invocation, SecretSource, Telemetry } from '../core/ports.ts';
import { between } from '../core/time.ts';
import type { ProcessEvent } from '../process/process-event.ts';
import { answerSigned, answerUnsigned, hasSignedHandshake } from './handshake.ts';
import { type IdentifiedItem, identify, parseBody } from './identify.ts';
import { inflate, isKnownEncoding } from './inflate.ts';
import { verify } from './verify.ts';

export interface ReceiveDeps {
  readonly sources: Sources;
  readonly secrets: SecretSource;
  readonly documents: ProviderDocuments;
  readonly processEvent: ProcessEvent;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Bytes of a body, on the wire after base64 and again after inflating. */
  readonly maxBodyBytes: number;
}

export type Receive = (request: InboundRequest, invocation: Invocation) => Promise<DeliveryOutcome>;

export function createReceive(deps: ReceiveDeps): Receive {
  return async (request, invocation) => {
    const source = deps.sources.get(request.source);
    const reject = (rejection: Rejection): DeliveryOutcome => {
      deps.telemetry.deliveryRejected(request, rejection, source !== undefined);
      return { kind: 'rejected', rejection };
    };

    if (source === undefined) return reject({ kind: 'unknown-source' });
    const unsigned = answerUnsigned(source, request);
    if (unsigned !== undefined) return unsigned.kind === 'rejected' ? reject(unsigned.rejection) : unsigned;
    if (request.method !== 'POST') return reject({ kind: 'wrong-method' });
    if (request.body.length > deps.maxBodyBytes) return reject({ kind: 'too-large' });
    const encoding = request.headers['content-encoding'];
    if (!isKnownEncoding(encoding)) return reject({ kind: 'unknown-encoding' });

    // Bytes are inflated before the check only where the inflated bytes are what is signed.
    const inflatedFirst =
      source.provider.scheme.signs === 'inflated'
        ? await inflate(request.body, encoding, deps.maxBodyBytes)
        : undefined;
    if (inflatedFirst !== undefined && inflatedFirst.kind !== 'inflated') return reject(inflatedFirst);

    const verified = await verify(deps, source, request, inflatedFirst?.bytes ?? request.body);
    if (verified.kind !== 'verified') return reject(verified);

    const inflated = inflatedFirst ?? (await inflate(request.body, encoding, deps.maxBodyBytes));
    if (inflated.kind !== 'inflated') return reject(inflated);

    if (hasSignedHandshake(source)) {
      const body = parseBody(source.provider, inflated.bytes)?.value;
      const handshake = await answerSigned(deps, source, request, body, verified.secretIndex);
      if (handshake !== undefined) return handshake.kind === 'rejected' ? reject(handshake.rejection) : handshake;
    }

    const identified = identify(source, request, inflated.bytes);
    if (identified.kind === 'malformed') return reject(identified);

    const endings: EventEnding[] = [];
    // One after another: two events of one delivery may concern one item, and would conflict.
    for (const item of identified.items) {
      const begun = deps.clock.now();
      const outcome = await process(deps, source, item, invocation);
      const named = { source: source.name, secretIndex: verified.secretIndex, ...nameOf(item) };
      deps.telemetry.eventEnded(named, outcome, between(begun, deps.clock.now()));
      endings.push({ eventId: named.eventId, outcome });
    }
    return {
      kind: 'handled',
      events: endings,
      isBatch: identified.isBatch,
      successStatus: source.provider.successStatus,
    };
  };
}

async function process(
  deps: ReceiveDeps,
  source: Source,
  item: IdentifiedItem,
  invocation: Invocation,
): Promise<EventOutcome> {
  if (item.kind === 'unusable') return { kind: 'malformed', reason: item.reason };
  const context = { rule: ruleFor(source, item.event), deadline: source.provider.deadline };
  return await deps.processEvent(item.event, context, invocation);
}

const nameOf = (item: IdentifiedItem): { readonly eventId: string; readonly type: string | undefined } =>
  item.kind === 'event'
    ? { eventId: item.event.eventId, type: item.event.types[0] }
    : { eventId: item.eventId, type: undefined };

/** The rule of the most specific type that has one. */
const ruleFor = (source: Source, event: InboundEvent): EventRule<never> | undefined =>
  event.types.map((type) => source.rules.get(type)).find((rule) => rule !== undefined);
