/**
 * Is this request from the provider? One interpreter answers for every scheme, so that a
 * new provider is data, and no preset has its own way to be wrong.
 *
 * What is signed. A sender and we share a secret. The sender computes an HMAC over some
 * bytes: the body and, depending on the scheme, a timestamp, an id and fixed text between
 * them. Nothing else is authentic: not the path, not the other headers. We compute the same
 * HMAC over the bytes as they came. The body is never turned into text, parsed or copied for
 * it, because text has no room for every byte and JSON has many spellings of one value; the
 * timestamp and the id go in as the text of the header, never as a number formatted again.
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
 * 6. Freshness, only after a match. Before it the timestamp is anybody's claim, and the
 *    reason "too old" in a log would not mean that a genuine request was replayed. A
 *    captured request can be replayed only within the tolerance, where the inbox knows its
 *    id. Too far in the future is refused too: such a request could be kept back and
 *    replayed until its time comes.
 *
 * Every ending but a match is a rejection with a reason for operators. Nothing here throws
 * for anything a sender can send.
 */
import { timingSafeEqual } from 'node:crypto';
import type { EpochMs } from '../core/time.ts';
import { computeSignature, signatureLength } from './digest.ts';
import type { RejectionReason, Scheme, Verification } from './scheme.ts';
import { decodeSecret } from './secret-key.ts';
import { readSignedHeaders } from './signed-headers.ts';
import { findStaleness } from './signed-timestamp.ts';

/** The part of a request that a signature can cover. */
export interface SignedRequest {
  /** Lower-case names; repeated headers joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that {@link Scheme.signs} names. */
  readonly body: Uint8Array;
}

/**
 * Checks one request against one scheme.
 *
 * @param secrets As configured, in order of preference.
 * @param toleranceSeconds How far a signed timestamp may be from `nowMs` in both directions,
 * instead of the scheme's own limits. Schemes without a timestamp ignore it.
 */
export function verifySignature(
  scheme: Scheme,
  request: SignedRequest,
  secrets: readonly string[],
  nowMs: EpochMs,
  toleranceSeconds?: number,
): Verification {
  const signed = readSignedHeaders(scheme, request.headers);
  if (signed.kind === 'rejected') return signed;

  const length = signatureLength(scheme);
  const candidates = signed.signatures.map(normalise(scheme)).filter((signature) => signature.length === length);
  if (candidates.length === 0) return rejected('malformed_signature');

  const keys = secrets.map((secret) => decodeSecret(scheme.secret, secret));
  if (keys.every((key) => key === undefined)) return rejected('no_usable_secret');

  const values = { id: signed.id, timestamp: signed.timestamp?.text, body: request.body };
  const matches = keys.map((key) => key !== undefined && matchesAny(computeSignature(scheme, key, values), candidates));
  const secretIndex = matches.indexOf(true);
  if (secretIndex < 0) return rejected('signature_mismatch');

  if (scheme.timestamp !== undefined && signed.timestamp !== undefined) {
    const staleness = findStaleness(scheme.timestamp, signed.timestamp.value, nowMs, toleranceSeconds);
    if (staleness !== undefined) return rejected(staleness);
  }
  return { kind: 'verified', secretIndex };
}

const rejected = (reason: RejectionReason): Verification => ({ kind: 'rejected', reason });

const normalise = (scheme: Scheme) => (signature: string) => {
  if (scheme.lenient !== true) return signature;
  return scheme.encoding === 'hex' ? signature.trim().toLowerCase() : signature.trim();
};

/** Goes through all of them, match or not. */
const matchesAny = (expected: string, candidates: readonly string[]): boolean =>
  candidates.map((candidate) => isSameText(expected, candidate)).includes(true);

/** As bytes, because `timingSafeEqual` throws when lengths differ and a letter may take several bytes. */
function isSameText(expected: string, candidate: string): boolean {
  const [left, right] = [Buffer.from(expected, 'utf8'), Buffer.from(candidate, 'utf8')];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
