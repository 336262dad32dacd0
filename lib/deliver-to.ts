import { readTargets, type Target } from './declarations.ts';
import type { SettingRule } from './setting-rules.ts';

/** The targets of the deliverer, as the settings have them and as its function gets them. */
export interface DeliverTo {
  readonly targets: readonly Target[];
  readonly json: string;
}

/**
 * Lambda's environment has 4 KB for all names and values together, and what else the function needs takes less than 1.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const MAX_BYTES = 3072;

const ALLOWED =
  'an object by target, `{ "<name>": { "url": "https://…", "topics": ["…"], "timeoutSeconds": 10 } }`, or its JSON text';

/** What the setting `deliverTo` takes. A URL may have a key in it, so nothing that is refused is repeated. */
export const deliverTo: SettingRule<DeliverTo> = {
  allowed: ALLOWED,
  parse: (given) => {
    const read = readSetting(given);
    return read.kind === 'read' ? read.value : undefined;
  },
  problemsOf: (given) => {
    const read = readSetting(given);
    return read.kind === 'read' ? [] : read.problems;
  },
};

type ReadSetting =
  | { readonly kind: 'read'; readonly value: DeliverTo }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

function readSetting(given: unknown): ReadSetting {
  const value = typeof given === 'string' ? parse(given) : given;
  if (!isRecord(value)) return { kind: 'refused', problems: [`must be ${ALLOWED}`] };

  const { targets, problems } = readTargets(value);
  if (problems.length > 0) return { kind: 'refused', problems };
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  return bytes > MAX_BYTES
    ? { kind: 'refused', problems: [`takes ${bytes} bytes as JSON; ${MAX_BYTES} fit the function's environment`] }
    : { kind: 'read', value: { targets, json } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
