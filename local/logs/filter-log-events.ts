import type { LogEntry } from '../functions/log-feed.ts';
import type { ServiceError } from '../gateway/gateway-service.ts';
import { listOf } from '../template/template.ts';
import { readFilterPattern } from './filter-pattern.ts';

/** A page of what was found, as CloudWatch Logs writes it. */
export interface FoundEvents {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly searchedLogStreams: readonly [];
  /** Left out on the last page. */
  readonly nextToken?: string;
}

/** Most events of a page.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
const MAX_LIMIT = 10_000;

/** Few enough that who does not follow the token of a page with nothing on it finds out here. */
const LINES_PER_PAGE = 1000;

/** Answers one request about lines of one log group, oldest first. */
export function filterLogEvents(
  entries: readonly LogEntry[],
  input: Readonly<Record<string, unknown>>,
): FoundEvents | ServiceError {
  const { startTime = 0, endTime = Number.POSITIVE_INFINITY, limit = MAX_LIMIT, nextToken = '0' } = input;
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
    return refusal(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
  if (!/^\d+$/.test(String(nextToken))) return refusal('The specified nextToken is invalid.');
  if (Number(startTime) > Number(endTime)) return refusal('endTime must not be before startTime');
  const matches = readFilterPattern(String(input['filterPattern'] ?? ''));
  if (matches === undefined)
    return refusal(`Invalid filter pattern, or one that local AWS does not know: ${input['filterPattern']}`);

  const isAsked = (entry: LogEntry): boolean =>
    entry.n > Number(nextToken) && entry.atMs >= Number(startTime) && entry.atMs <= Number(endTime);
  const asked = entries.filter((entry) => isAsked(entry) && isInStream(streamOf(entry), input));
  const events: LogEntry[] = [];
  let seen = 0;
  for (const entry of asked.slice(0, LINES_PER_PAGE)) {
    if (events.length === limit) break;
    if (matches(entry)) events.push(entry);
    seen += 1;
  }
  const last = asked[seen - 1];
  return {
    events: events.map(describe),
    searchedLogStreams: [],
    ...(last !== undefined && seen < asked.length && { nextToken: String(last.n) }),
  };
}

const refusal = (message: string): ServiceError => ({ code: 'InvalidParameterException', message });

const streamOf = ({ instanceId }: LogEntry): string => `local/[$LATEST]${instanceId}`;

function isInStream(stream: string, input: Readonly<Record<string, unknown>>): boolean {
  const { logStreamNames: names, logStreamNamePrefix: prefix = '' } = input;
  return (names === undefined || listOf(names).includes(stream)) && stream.startsWith(String(prefix));
}

const describe = (entry: LogEntry) => ({
  logStreamName: streamOf(entry),
  timestamp: entry.atMs,
  ingestionTime: entry.atMs,
  message: entry.text,
  eventId: String(entry.n).padStart(56, '0'),
});
