import { valueAt } from '../providers/read-location.ts';
import { Refusal } from './refusal.ts';

/** What the CLI reads of the file in which a running local AWS says how to reach it. */
export interface LocalState {
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly secretsManagerUrl: string;
  /** Base URLs of all services that run here, by their short names: `dynamodb`, `sqs`, … */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Names of the tables, by `inbox`, `outbox`, … */
  readonly tables: Readonly<Record<string, string>>;
  /** URLs of the queues, by `events`, `eventsDlq`, … */
  readonly queues: Readonly<Record<string, string>>;
  /** Name or ARN of the secret with the signing secrets; a running one may not say it. */
  readonly signingSecretId: string | undefined;
  /** By source, the current one first. */
  readonly secrets: Readonly<Record<string, readonly string[]>>;
}

/** @throws Refusal when the text is not such a file's. */
export function decodeLocalState(text: string): LocalState {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    throw new Refusal(UNREADABLE);
  }
  const at = (...path: string[]): string => {
    const value = valueAt(state, path);
    if (typeof value !== 'string' || value === '') throw new Refusal(UNREADABLE);
    return value;
  };
  const textsAt = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(valueAt(state, [name]) ?? {}).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value]] : [],
      ),
    );
  const signingSecretId = valueAt(state, ['signingSecretId']);
  return {
    apiUrl: at('apiUrl'),
    region: at('region'),
    credentials: {
      accessKeyId: at('credentials', 'accessKeyId'),
      secretAccessKey: at('credentials', 'secretAccessKey'),
    },
    secretsManagerUrl: at('endpoints', 'secretsmanager'),
    endpoints: textsAt('endpoints'),
    tables: textsAt('tables'),
    queues: textsAt('queues'),
    signingSecretId: typeof signingSecretId === 'string' ? signingSecretId : undefined,
    secrets: Object.fromEntries(
      Object.entries(valueAt(state, ['secrets']) ?? {}).map(([source, list]) => [
        source,
        Array.isArray(list) ? list.filter((secret) => typeof secret === 'string') : [],
      ]),
    ),
  };
}

const UNREADABLE = '.oncehook/local.json cannot be read: end local AWS and start it again with npm start';
