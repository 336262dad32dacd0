import type { LocalState } from '../local-state.ts';
import { Refusal } from '../refusal.ts';

/** Where to send, and whose secret signs. */
export interface Target {
  readonly url: string;
  readonly isLocal: boolean;
  /** `ask` when nothing here knows the secret: standard input has to say it. */
  readonly secret: string | 'ask';
}

/**
 * Chooses the receiver: `url`, or the source's webhook of local AWS. Local secrets sign for local
 * AWS alone, however its URL was given.
 *
 * @param url As typed; absent for local AWS.
 * @param asksSecret Whether another secret than the known one is wanted.
 * @throws Refusal when there is nothing to send to, or the URL is none that can be sent to.
 */
export function chooseTarget(
  source: string,
  url: string | undefined,
  asksSecret: boolean,
  local: LocalState | undefined,
): Target {
  const target = url === undefined ? localUrl(source, local) : checkedUrl(url);
  const isLocal = local !== undefined && target.origin === new URL(local.apiUrl).origin;
  if (!isLocal || asksSecret) return { url: target.href, isLocal, secret: 'ask' };

  const secret = local.secrets[source]?.[0];
  if (secret === undefined) throw new Refusal(`local AWS has no secret for ${source}: it runs with other sources`);
  return { url: target.href, isLocal, secret };
}

function localUrl(source: string, local: LocalState | undefined): URL {
  if (local !== undefined) return new URL(`${local.apiUrl}/webhooks/${source}`);
  throw new Refusal('nothing runs here: start it with npm start, or name another receiver with --url URL');
}

function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Refusal('--url must be an http:// or https:// URL');
  }
  if (url.username !== '' || url.password !== '')
    throw new Refusal('--url must not have a user name or password in it');
  return url;
}
