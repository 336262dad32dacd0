/**
 * Is this request from the provider? One interpreter answers for every scheme, so that a
 * new provider is data, and no preset has its own way to be wrong.
 *
 * What is signed. A sender and we share a secret. The sender computes an HMAC over some
 * bytes: the body and, depending on the scheme, a timestamp, an id, the URL and fixed text
 * between them. Nothing else is authentic: not the path, not the other headers. We compute the
 * same HMAC over the bytes as they came. The body is never turned into text, parsed or copied
 * for it, because text has no room for every byte and JSON has many spellings of one value; the
 * timestamp and the id go in as the text of the header, never as a number formatted again. The
 * URL is the one that the provider was given, from the configuration: what the request says
 * of itself passed through proxies and is whatever its sender likes.
 *
 * Three kinds of scheme differ from that in one point each. With a public key there is no
 * digest to compare, the platform verifies, and the sender alone can sign. A plain hash
 * of secret and bytes stands where older schemes have no HMAC. A token is the secret itself
 * in a header: it tells who sends and nothing about what.
 *
 * The order of the checks, and what each one stops:
 *
 * 1. Headers that are absent, blank, too long or too many, timestamps that are not digits:
 *    refused before any hashing, so that garbage costs next to nothing.
 * 2. A header that came twice. API Gateway joins repeated headers with commas. If two
 *    timestamps or two ids arrive, one part of the receiver may believe the first and
 *    another the second; with one of them signed, that is a forgery. A list is accepted only
 *    where the scheme has one.
 * 3. An id that contains the text which separates it from the next part. `a` + `.` + `1.2`
 *    and `a.1` + `.` + `2` are the same signed bytes: without this check somebody could move
 *    the border, and one signed event would have several ids.
 * 4. Signatures of the wrong length. The length of a digest is no secret; this is where
 *    SHA-1 for SHA-256, hex for base64 and truncation end, still without hashing.
 * 5. The comparison, in constant time, of every signature with every secret's digest. It
 *    does not stop at the first match, so the answer time tells neither which secret
 *    matched nor how near a guess was. Several secrets make rotation possible without a gap.
 *    A secret that is empty or cannot be decoded is no key at all: an HMAC with an empty
 *    key is one that anybody can compute.
 * 6. Freshness, only after a match; where the signed body holds the time, it is parsed no
 *    sooner. Before it the timestamp is anybody's claim, and the reason "too old" in a log
 *    would not mean that a genuine request was replayed. A captured request can be replayed
 *    only within the tolerance, where the inbox knows its id. Too far in the future is
 *    refused too: such a request could be kept back and replayed until its time comes.
 *
 * Every ending but a match is a rejection with a reason for operators. Nothing here throws
 * for anything a sender can send.
 */
import { timingSafeEqual } from 'node:crypto';
import { assertNever } from '../core/assert-never.ts';
import type { EpochMs } from '../core/time.ts';
import { computeSignature, type SignedValues, signatureLength } from './digest.ts';
import { matchSecrets, rejected } from './match-secrets.ts';
import { isPublicKeySignature, verifiesAny } from './public-key-signature.ts';
import type { RejectionReason, Scheme, SignatureScheme, Verification } from './scheme.ts';
import { readSignedBody } from './signed-body.ts';
import { type ReadTimestamp, readSignedHeaders, readTimestamp } from './signed-headers.ts';
import { findStaleness } from './signed-timestamp.ts';
import { verifyToken } from './token.ts';

/** The part of a request that a signature can cover. */
export interface SignedRequest {
  /** Lower-case names; repeated headers joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that {@link Scheme.signs} names. */
  readonly body: Uint8Array;
  /** Upper case; for schemes that sign it. @default 'POST' */
  readonly method?: string;
  /** The URL as it is configured at the provider; for schemes that sign it. */
  readonly url?: string | undefined;
}

/**
 * Checks one request against one scheme.
 *
 * @param secrets As configured, in order of preference.
 * @param toleranceSeconds How far a signed timestamp may be from `nowMs` in both directions,
 * instead of the scheme's own limits. Schemes without a timestamp ignore it.
 * @throws RangeError for a scheme that signs the URL when there is none, which is no sender's doing.
 */
export function verifySignature(
  scheme: Scheme,
  request: SignedRequest,
  secrets: readonly string[],
  nowMs: EpochMs,
  toleranceSeconds?: number,
): Verification {
  if (scheme.kind === 'token') return verifyToken(scheme, request.headers, secrets);
  const signed = readSignedHeaders(scheme, request.headers, request.body);
  if (signed.kind === 'rejected') return signed;

  const candidates = signed.signatures.map(normalise(scheme)).filter(isWellFormed(scheme));
  if (candidates.length === 0) return rejected('malformed_signature');

  const { method = 'POST', url, body } = request;
  const values = { id: signed.id, timestamp: signed.timestamp?.text, body, method, url, fieldAt: signed.fieldAt };
  const matched = matchSecrets(scheme.secret, secrets, (key) => isSignedWith(scheme, key, values, candidates));
  if (matched.kind === 'rejected') return matched;

  const staleness = judgeFreshness(scheme, signed.timestamp, body, nowMs, toleranceSeconds);
  return staleness === undefined ? matched : rejected(staleness);
}

const normalise = (scheme: SignatureScheme) => (signature: string) => {
  if (scheme.lenient !== true) return signature;
  return scheme.encoding === 'hex' ? signature.trim().toLowerCase() : signature.trim();
};

const isWellFormed = (scheme: SignatureScheme) => (signature: string) =>
  scheme.kind === 'public-key' ? isPublicKeySignature(scheme, signature) : signature.length === signatureLength(scheme);

function isSignedWith(
  scheme: SignatureScheme,
  key: Uint8Array,
  values: SignedValues,
  candidates: readonly string[],
): boolean {
  switch (scheme.kind) {
    case 'hmac':
    case 'secret-hash':
      return matchesAny(computeSignature(scheme, key, values), candidates);
    case 'public-key':
      return verifiesAny(scheme, key, values, candidates);
    default:
      return assertNever(scheme);
  }
}

/**
 * Goes through all of them, match or not. As bytes, because `timingSafeEqual` throws when lengths differ and a
 * letter may take several bytes.
 */
const matchesAny = (expected: string, candidates: readonly string[]): boolean =>
  candidates.map((candidate) => isSameDigest(expected, candidate)).includes(true);

function isSameDigest(expected: string, candidate: string): boolean {
  const [left, right] = [Buffer.from(expected, 'utf8'), Buffer.from(candidate, 'utf8')];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}

/** @param read Absent where the scheme has none, or has it in a body that nobody had a reason to parse before. */
function judgeFreshness(
  scheme: SignatureScheme,
  read: ReadTimestamp | undefined,
  body: Uint8Array,
  nowMs: EpochMs,
  toleranceSeconds: number | undefined,
): RejectionReason | undefined {
  const { timestamp } = scheme;
  if (timestamp === undefined) return undefined;
  if (read !== undefined) return findStaleness(timestamp, read.value, nowMs, toleranceSeconds);

  const fieldAt = readSignedBody(body);
  if (fieldAt === undefined) return 'unreadable_body';
  const late = readTimestamp(timestamp, {}, undefined, fieldAt);
  if (late.kind === 'rejected') return late.reason;
  return late.value === undefined
    ? 'missing_timestamp'
    : findStaleness(timestamp, late.value.value, nowMs, toleranceSeconds);
}
