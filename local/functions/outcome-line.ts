import { LOG_FIELDS } from '../../lambda/contract.ts';
import type { LogEntry } from './log-feed.ts';

/** The fields of a line that tells what became of an event or of a delivery. */
export interface OutcomeLine {
  readonly outcome: string;
  readonly source: string;
  readonly type: string;
  readonly eventId: string;
  /** Why, where it did not go well: the reason, or the error. */
  readonly reason: string;
  readonly durationMs: number | undefined;
}

/** Reads a line if it is one that has an outcome; texts it does not have are empty. */
export function readOutcomeLine({ fields }: LogEntry): OutcomeLine | undefined {
  const outcome = fields?.[LOG_FIELDS.outcome];
  // Metrics in embedded format may have an outcome among their values, and are no line of their own.
  if (fields === undefined || typeof outcome !== 'string' || fields['_aws'] !== undefined) return undefined;
  const text = (name: string): string => String(fields[name] ?? '');
  const duration = fields[LOG_FIELDS.durationMs];
  return {
    outcome,
    source: text(LOG_FIELDS.source),
    type: text(LOG_FIELDS.eventType),
    eventId: text(LOG_FIELDS.eventId),
    reason: text(LOG_FIELDS.reason) || [fields['errorName'], fields['errorMessage']].filter(Boolean).join(': '),
    durationMs: typeof duration === 'number' ? duration : undefined,
  };
}
