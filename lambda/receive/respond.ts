/**
 * Respond: outcome to HTTP. A status answers one question: should the provider send this again?
 * 2xx: no. Anything else: yes, or it was never ours. Never 3xx, 403, 406, 409 or 410: some senders
 * stop for good on those.
 */

import { OUTCOME_HEADER } from '../contract.ts';
import { assertNever } from '../core/assert-never.ts';
import type { DeliveryOutcome, EventOutcome, HandshakeAnswer, Rejection } from '../core/outcome.ts';

/** What API Gateway takes as an answer in payload format 2.0. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  /** The fixed word the sender sees; nothing in it tells why a signature failed. */
  readonly outcome: string;
  readonly retryAfterSeconds?: number;
}

/** A pause for what is expected to pass within moments, in seconds. */
const SOON = 5;

/** Last resort, for what nobody foresaw. */
export const unexpected = (): HttpAnswer => toAnswer({ status: 500, outcome: 'failed' }, { outcome: 'failed' });

/** An invocation that is no HTTP request. */
export const notARequest = (): HttpAnswer => toAnswer({ status: 400, outcome: 'malformed' }, { outcome: 'malformed' });

export function respond(delivery: DeliveryOutcome): HttpAnswer {
  if (delivery.kind === 'rejected') {
    const reply = replyToRejection(delivery.rejection);
    return toAnswer(reply, { outcome: reply.outcome });
  }
  if (delivery.kind === 'handshake') return answerHandshake(delivery);
  const replies = delivery.events.map(({ outcome }) => replyToEvent(outcome, delivery.successStatus));
  const worst = replies.reduce((one, other) => (rank(other) > rank(one) ? other : one));
  const entries = delivery.events.map(({ eventId }, index) => ({ outcome: replies[index]?.outcome, eventId }));
  return toAnswer(worst, delivery.isBatch ? { outcome: worst.outcome, events: entries } : entries[0]);
}

const answerHandshake = ({ status, contentType, body }: HandshakeAnswer): HttpAnswer => ({
  statusCode: status,
  headers: {
    ...(status === 204 ? {} : { 'content-type': contentType }),
    'x-content-type-options': 'nosniff',
    [OUTCOME_HEADER]: 'handshake',
  },
  body,
});

function replyToEvent(outcome: EventOutcome, successStatus: number): Reply {
  switch (outcome.kind) {
    case 'processed':
    case 'duplicate':
    case 'superseded':
    case 'ignored':
    case 'queued':
    case 'parked':
    case 'already-parked':
    case 'expired':
      return { status: successStatus, outcome: outcome.kind };
    case 'failed':
      return { status: 500, outcome: 'failed' };
    case 'retry-later':
      return { status: 503, outcome: 'retry-later', retryAfterSeconds: outcome.retryAfterSeconds };
    case 'in-progress':
      return { status: 503, outcome: 'in-progress', retryAfterSeconds: outcome.retryAfterSeconds };
    case 'claim-lost':
      return { status: 503, outcome: 'claim-lost', retryAfterSeconds: SOON };
    case 'malformed':
      return { status: 400, outcome: 'malformed' };
    case 'too-little-time':
      return { status: 503, outcome: 'too-little-time', retryAfterSeconds: SOON };
    case 'store-down':
      return { status: 503, outcome: 'store-unavailable', retryAfterSeconds: SOON };
    default:
      return assertNever(outcome);
  }
}

function replyToRejection(rejection: Rejection): Reply {
  switch (rejection.kind) {
    case 'malformed':
      return { status: 400, outcome: rejection.kind };
    case 'unauthenticated':
      return { status: 401, outcome: rejection.kind };
    case 'unknown-source':
      return { status: 404, outcome: rejection.kind };
    case 'wrong-method':
      return { status: 405, outcome: rejection.kind };
    case 'too-large':
      return { status: 413, outcome: rejection.kind };
    case 'unknown-encoding':
      return { status: 415, outcome: rejection.kind };
    case 'no-secret':
    case 'key-unavailable':
      return { status: 503, outcome: rejection.kind, retryAfterSeconds: SOON };
    default:
      return assertNever(rejection);
  }
}

// A failure outweighs a wait, a wait outweighs what is malformed, and that a success; of two waits the longer one.
const rank = (reply: Reply): number =>
  reply.status === 500 ? 1_000_000 : reply.status >= 500 ? 1000 + (reply.retryAfterSeconds ?? 0) : reply.status;

function toAnswer(reply: Reply, body: unknown): HttpAnswer {
  return {
    statusCode: reply.status,
    headers: {
      'content-type': 'application/json',
      [OUTCOME_HEADER]: reply.outcome,
      ...(reply.retryAfterSeconds === undefined ? {} : { 'retry-after': String(reply.retryAfterSeconds) }),
      ...(reply.status === 405 ? { allow: 'POST' } : {}),
    },
    body: reply.status === 204 ? '' : JSON.stringify(body),
  };
}
