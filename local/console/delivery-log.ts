import type { LogEntry, LogFeed } from '../functions/log-feed.ts';
import { type OutcomeLine, readOutcomeLine } from '../functions/outcome-line.ts';

/** One outcome as the page shows it. */
export interface SeenDelivery extends OutcomeLine {
  /** Counts from 1 since the start. */
  readonly number: number;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** What has come in since the start. */
export interface DeliveryLog {
  /** Newest first. */
  latest(): readonly SeenDelivery[];
  /** Every outcome since the start with how often it came, in order of first appearance. */
  counts(): Readonly<Record<string, number>>;
}

/** As many as one looks at; the table below them shows the rest. */
const KEPT = 100;

export function createDeliveryLog(logs: LogFeed): DeliveryLog {
  const seen: SeenDelivery[] = [];
  const counts = new Map<string, number>();
  let total = 0;

  const note = (entry: LogEntry): void => {
    const line = readOutcomeLine(entry);
    if (line === undefined) return;
    total += 1;
    const timestamp = entry.fields?.['timestamp'];
    seen.unshift({ ...line, number: total, at: typeof timestamp === 'string' ? timestamp : new Date().toISOString() });
    seen.length = Math.min(seen.length, KEPT);
    counts.set(line.outcome, (counts.get(line.outcome) ?? 0) + 1);
  };
  for (const entry of logs.entries) note(entry);
  logs.subscribe(note);

  return { latest: () => seen, counts: () => Object.fromEntries(counts) };
}
