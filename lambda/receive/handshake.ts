/**
 * Handshake: a provider asks whether the endpoint is ours, or alive, and no event is in the request.
 *
 * Only what the preset describes is answered. Some providers sign nothing while they ask; an endpoint
 * that sends back what anybody asked for must not become a page, so such an answer is text of visible
 * characters without angle brackets, never HTML, and no longer than a challenge can be. Where the
 * provider signs, its signature was verified before anything here looks at the body. Nothing is
 * written: an event must not be able to hide behind a handshake, nor a handshake leave a row.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Source } from '../authoring/define-sources.ts';
import { assertNever } from '../core/assert-never.ts';
import type { ProviderDocuments } from '../core/document-ports.ts';
import type { InboundRequest } from '../core/event.ts';
import type { HandshakeAnswer, Rejection } from '../core/outcome.ts';
import type { SecretSource } from '../core/ports.ts';
import type { Handshake, HandshakeMark } from '../providers/handshake.ts';
import { textAt, valueAt } from '../providers/read-location.ts';
import { decodeSecret } from '../providers/secret-key.ts';

/**
 * Characters of a challenge. Those of the providers have up to about 300; this is the largest that
 * still cannot carry anything else.
 */
export const MAX_CHALLENGE_CHARACTERS = 1024;

export type HandshakeEnding = HandshakeAnswer | { readonly kind: 'rejected'; readonly rejection: Rejection };

type Unsigned = Extract<Handshake, { kind: 'echo-query' }>;
type Signed = Exclude<Handshake, Unsigned>;

/** Answers an unsigned handshake. @returns `undefined` when the request is none of this source. */
export function answerUnsigned(source: Source, request: InboundRequest): HandshakeEnding | undefined {
  const query = new URLSearchParams(request.query);
  const handshake = (source.provider.handshake ?? []).find(
    (one): one is Unsigned => one.kind === 'echo-query' && fitsQuery(one, request.method, query),
  );
  if (handshake === undefined) return undefined;

  const { parameter, token } = handshake;
  if (token !== undefined && !isToken(query.getAll(token.parameter), token.sha256)) {
    return rejected({ kind: 'unauthenticated', reason: 'verify_token_mismatch' });
  }
  const [challenge, ...more] = query.getAll(parameter);
  if (challenge === undefined || more.length > 0 || !VISIBLE.test(challenge)) {
    return challenge !== undefined && challenge.length > MAX_CHALLENGE_CHARACTERS
      ? rejected({ kind: 'too-large' })
      : rejected({ kind: 'malformed', reason: `the query has no usable ${parameter}` });
  }
  return echo(challenge);
}

/** Whether the source has handshakes that are signed, so that every verified body has to be looked at. */
export const hasSignedHandshake = (source: Source): boolean =>
  (source.provider.handshake ?? []).some(({ kind }) => kind !== 'echo-query');

export interface HandshakeDeps {
  readonly secrets: SecretSource;
  readonly documents: ProviderDocuments;
}

/**
 * Answers a verified handshake. @returns `undefined` when the delivery is none.
 *
 * @param secretIndex The place of the secret that verified the delivery.
 */
export async function answerSigned(
  deps: HandshakeDeps,
  source: Source,
  request: InboundRequest,
  body: unknown,
  secretIndex: number,
): Promise<HandshakeEnding | undefined> {
  const handshake = (source.provider.handshake ?? []).find(
    (one): one is Signed => one.kind !== 'echo-query' && isMarked(one.mark, request, body),
  );
  if (handshake === undefined) return undefined;
  switch (handshake.kind) {
    case 'echo-field':
      return withChallenge(body, handshake.field, echo);
    case 'prove-secret': {
      const secret = await secretAt(deps, source, secretIndex);
      const key = secret === undefined ? undefined : decodeSecret(source.provider.scheme.secret, secret);
      if (key === undefined) return rejected({ kind: 'no-secret', reason: `${source.name} has no secret to prove` });
      return withChallenge(body, handshake.field, (challenge) =>
        PROVABLE.test(challenge)
          ? json(200, {
              [handshake.plain]: challenge,
              [handshake.proof]: createHmac('sha256', key).update(challenge).digest('hex'),
            })
          : rejected({ kind: 'malformed', reason: `${handshake.field.join('.')} is no token to prove` }),
      );
    }
    case 'fixed':
      return handshake.json === undefined
        ? { kind: 'handshake', status: handshake.status, contentType: 'text/plain; charset=utf-8', body: '' }
        : json(handshake.status, handshake.json);
    case 'confirm':
      return confirm(deps, source, handshake, body, secretIndex);
    default:
      return assertNever(handshake);
  }
}

async function confirm(
  deps: HandshakeDeps,
  source: Source,
  handshake: Extract<Handshake, { kind: 'confirm' }>,
  body: unknown,
  secretIndex: number,
): Promise<HandshakeEnding> {
  const secret = await secretAt(deps, source, secretIndex);
  const request = secret === undefined ? undefined : handshake.request(body, secret);
  if (request === undefined) return rejected({ kind: 'malformed', reason: 'nothing in the body can be confirmed' });
  const answer = await deps.documents.call(request);
  switch (answer.kind) {
    case 'found':
      return json(200, { outcome: 'handshake' });
    case 'absent':
      return rejected({ kind: 'malformed', reason: 'the provider knows nothing of what was to be confirmed' });
    case 'unavailable':
      return rejected({ kind: 'key-unavailable', reason: `not confirmed: ${answer.reason}` });
    default:
      return assertNever(answer);
  }
}

async function secretAt({ secrets }: HandshakeDeps, source: Source, index: number): Promise<string | undefined> {
  const answer = await secrets.secretsOf(source.name, 'start');
  return answer.kind === 'found' ? answer.secrets[index] : undefined;
}

function withChallenge(
  body: unknown,
  field: readonly string[],
  answer: (challenge: string) => HandshakeEnding,
): HandshakeEnding {
  const challenge = valueAt(body, field);
  if (typeof challenge !== 'string' || challenge === '') {
    return rejected({ kind: 'malformed', reason: `the body has no ${field.join('.')}` });
  }
  return challenge.length > MAX_CHALLENGE_CHARACTERS ? rejected({ kind: 'too-large' }) : answer(challenge);
}

const isMarked = ({ at, is, without }: HandshakeMark, { headers }: InboundRequest, body: unknown): boolean =>
  textAt(at, headers, body) === is && (without === undefined || valueAt(body, without) === undefined);

const fitsQuery = ({ method, parameter, where = {} }: Unsigned, asked: string, query: URLSearchParams): boolean =>
  asked === method &&
  query.has(parameter) &&
  Object.entries(where).every(([name, value]) => query.getAll(name).length === 1 && query.get(name) === value);

function isToken(given: readonly string[], sha256: string): boolean {
  const [token = '', ...more] = given;
  const hash = createHash('sha256').update(token).digest();
  const expected = Buffer.from(sha256, 'hex');
  return more.length === 0 && expected.length === hash.length && timingSafeEqual(hash, expected);
}

/** Printable ASCII but angle brackets: nothing that any reader could take for markup. */
const VISIBLE = new RegExp(`^[\\x20-\\x3b\\x3d\\x3f-\\x7e]{1,${MAX_CHALLENGE_CHARACTERS}}$`);

/** What no signed text of a delivery looks like. */
const PROVABLE = /^[A-Za-z0-9+/=_-]+$/;

const echo = (challenge: string): HandshakeAnswer => ({
  kind: 'handshake',
  status: 200,
  contentType: 'text/plain; charset=utf-8',
  body: challenge,
});

const json = (status: 200 | 204, value: unknown): HandshakeAnswer => ({
  kind: 'handshake',
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
});

const rejected = (rejection: Rejection): HandshakeEnding => ({ kind: 'rejected', rejection });
