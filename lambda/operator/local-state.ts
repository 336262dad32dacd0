import { valueAt } from '../providers/read-location.ts';
import { Refusal } from './refusal.ts';

/** What the CLI reads of the file in which a running local AWS says how to reach it. */
export interface LocalState {
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly secretsManagerUrl: string;
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
  const signingSecretId = valueAt(state, ['signingSecretId']);
  return {
    apiUrl: at('apiUrl'),
    region: at('region'),
    credentials: {
      accessKeyId: at('credentials', 'accessKeyId'),
      secretAccessKey: at('credentials', 'secretAccessKey'),
    },
    secretsManagerUrl: at('endpoints', 'secretsmanager'),
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
