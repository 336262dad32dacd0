import { isIP } from 'node:net';
import { isTargetName, type Target } from '../core/target.ts';
import { seconds } from '../core/time.ts';
import { isPublicAddress } from './public-address.ts';

export type { Target };

export interface ReadTargets {
  readonly targets: readonly Target[];
  /** Sentences. None repeats a URL, which may have a secret in it. */
  readonly problems: readonly string[];
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Every second more is one for which a target that hangs keeps the function to itself. */
const MAX_TIMEOUT_SECONDS = 30;

const OPTIONS = ['url', 'topics', 'timeoutSeconds'];

/** Reads the targets of the setting `deliverTo`: `{ "<name>": { "url": …, "topics"?: […], "timeoutSeconds"?: … } }`. */
export function readTargets(given: Readonly<Record<string, unknown>>): ReadTargets {
  const entries = Object.entries(given);
  const problems = entries.flatMap(([name, options]) =>
    targetProblems(name, options).map((problem) => `the target ${JSON.stringify(name)} ${problem}`),
  );
  if (entries.length === 0) problems.push('there is no target in it; leave it out to deliver nothing');
  if (problems.length > 0) return { targets: [], problems };
  return { targets: entries.flatMap(([name, options]) => toTarget(name, options)), problems };
}

function targetProblems(name: string, options: unknown): readonly string[] {
  const problems: string[] = [];
  if (!isTargetName(name)) {
    problems.push('needs a name of a-z, 0-9 and hyphens, 40 characters at most');
  }
  if (!isRecord(options)) return [...problems, 'needs to be an object with a url'];

  const unknown = Object.keys(options).filter((option) => !OPTIONS.includes(option));
  if (unknown.length > 0)
    problems.push(`has the unknown option ${unknown.join(', ')}; known are ${OPTIONS.join(', ')}`);
  const { url, topics, timeoutSeconds } = options;
  const urlProblem = problemOfUrl(url);
  if (urlProblem !== undefined) problems.push(urlProblem);
  if (topics !== undefined && !isListOfTopics(topics)) {
    problems.push('needs topics to be a list of names; leave it out for all topics');
  }
  if (timeoutSeconds !== undefined && !isTimeout(timeoutSeconds)) {
    problems.push(`needs timeoutSeconds to be a whole number from 1 to ${MAX_TIMEOUT_SECONDS}`);
  }
  return problems;
}

/** What can be said of a URL before its name is looked up. */
function problemOfUrl(given: unknown): string | undefined {
  const url = typeof given === 'string' ? URL.parse(given) : null;
  if (url === null) return 'needs url to be a URL';
  if (url.protocol !== 'https:') return 'needs url to begin with https:';
  if (url.username !== '' || url.password !== '') return 'has a user or a password in its url';

  // URL writes every spelling of an IPv4 address in four decimal parts, and IPv6 in brackets.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPublic = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
  return isPublic ? undefined : 'has a url to this machine or to a private or reserved network';
}

/** A name without a full stop, or under one of the reserved domains, is only known inside some network. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/.test(host);

const isListOfTopics = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((topic) => typeof topic === 'string' && topic !== '');

const isTimeout = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_SECONDS;

function toTarget(name: string, options: unknown): readonly Target[] {
  if (!isRecord(options)) return [];
  const { url, topics, timeoutSeconds } = options;
  return [
    {
      name,
      url: String(url),
      topics: isListOfTopics(topics) ? topics : undefined,
      timeout: seconds(isTimeout(timeoutSeconds) ? timeoutSeconds : DEFAULT_TIMEOUT_SECONDS),
    },
  ];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
