import { OUTCOME_HEADER } from '../../contract.ts';
import { type DurationMs, seconds } from '../../core/time.ts';
import { valueAt } from '../../providers/read-location.ts';
import type { HttpAnswer } from '../ports.ts';

/** What came back for one copy. */
export interface Answer {
  /** Which copy, counting from 1. */
  readonly n: number;
  readonly status: number;
  /** Absent when it is not Oncehook that answered. */
  readonly outcome: string | undefined;
  /** One, or one per event of a batch. */
  readonly eventIds: readonly string[];
  readonly durationMs: DurationMs;
  /** How long the receiver asks to wait. */
  readonly retryAfter: DurationMs | undefined;
}

/** Reads an answer from whoever it came; nothing in it reaches a terminal as it is. */
export function readAnswer(
  n: number,
  answered: Extract<HttpAnswer, { kind: 'answered' }>,
  durationMs: DurationMs,
): Answer {
  const body = bodyOf(answered.text);
  const events = valueAt(body, ['events']);
  const outcome = answered.headers[OUTCOME_HEADER] ?? valueAt(body, ['outcome']);
  return {
    n,
    status: answered.status,
    outcome: typeof outcome === 'string' && /^[a-z-]{1,40}$/.test(outcome) ? outcome : undefined,
    eventIds: (Array.isArray(events) ? events : [body]).flatMap((event) => printable(valueAt(event, ['eventId']))),
    durationMs,
    retryAfter: readSeconds(answered.headers['retry-after']),
  };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longer than any id the receiver answers with. */
const MAX_SHOWN_CHARACTERS = 300;

const printable = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value.slice(0, MAX_SHOWN_CHARACTERS).replaceAll(/\p{C}/gu, '?')] : [];

const readSeconds = (text: string | undefined): DurationMs | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? seconds(Number(text)) : undefined;
