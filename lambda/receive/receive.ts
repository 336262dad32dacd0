/**
 * One delivery, from request to outcome: verify → identify → for each event claim → handle → commit, or queue.
 * Nothing is written before the signature over the raw bytes is verified.
 */
import type { Sources } from '../authoring/define-sources.ts';
import type { InboundRequest } from '../core/event.ts';
import type { DeliveryOutcome, EventEnding, Rejection } from '../core/outcome.ts';
import type { Invocation } from '../core/ports.ts';
import { answerSigned, answerUnsigned, type HandshakeDeps, hasSignedHandshake } from './handshake.ts';
import { type IdentifiedItem, identify } from './identify.ts';
import { inflate, isKnownEncoding } from './inflate.ts';
import { readBody } from './parse-body.ts';
import { type ReceiveEventsDeps, receiveEvents } from './receive-events.ts';
import { verify } from './verify.ts';

export interface ReceiveDeps extends ReceiveEventsDeps, HandshakeDeps {
  readonly sources: Sources;
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
      const body = readBody(source.provider, inflated.bytes)?.value;
      const handshake = await answerSigned(deps, source, request, body, verified.secretIndex);
      if (handshake !== undefined) return handshake.kind === 'rejected' ? reject(handshake.rejection) : handshake;
    }

    const identified = identify(source, request, inflated.bytes);
    if (identified.kind !== 'identified') return reject(identified);

    const endings = await receiveEvents(deps, source, identified.items, invocation);
    const events = identified.items.flatMap((item, n): readonly EventEnding[] => {
      const ending = endings[n];
      if (ending === undefined) return [];
      const named = { source: source.name, secretIndex: verified.secretIndex, ...nameOf(item) };
      deps.telemetry.eventEnded(named, ending.outcome, ending.duration);
      return [{ eventId: named.eventId, outcome: ending.outcome }];
    });
    return {
      kind: 'handled',
      events,
      isBatch: identified.isBatch,
      successStatus: source.provider.successStatus,
    };
  };
}

const nameOf = (item: IdentifiedItem): { readonly eventId: string; readonly type: string | undefined } =>
  item.kind === 'event'
    ? { eventId: item.event.eventId, type: item.event.types[0] }
    : { eventId: item.eventId, type: undefined };
