import { hours, seconds } from '../core/time.ts';
import type { DropboxEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

/** Nothing about Dropbox has to be chosen. */
export type DropboxOptions = Readonly<Record<string, never>>;

/**
 * Dropbox: notifications that something changed for some accounts, and no more than that.
 *
 * - Signature: bare hex in `x-dropbox-signature`, HMAC-SHA256 over the body with the app secret as text
 *   (recalled, not confirmed). No timestamp is signed.
 * - A notification has neither id nor time, and the next one for the same account has the same body. Were
 *   equal bodies one event, changes would be missed for as long as the dedup window; so every delivery is
 *   an event, and a copy makes the handler look once more. Let it list the changes from a stored cursor,
 *   which can be repeated.
 * - All of them have the type `changes`: the body names no other.
 * - Deadline 10 s, retries for some minutes (recalled, not confirmed; a day is assumed).
 * - Handshake: a GET with `challenge` in the query, not signed, is answered with it as text (recalled, not
 *   confirmed).
 *
 * @see https://www.dropbox.com/developers/reference/webhooks
 */
export function dropbox(options: DropboxOptions = {}): ProviderPreset & KnownTypes<DropboxEventType> {
  refuseUnknownOptions('dropbox', options, []);
  return freezePreset({
    name: 'dropbox',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      header: 'x-dropbox-signature',
      format: { kind: 'bare' },
      encoding: 'hex',
      signed: ['body'],
      secret: { encoding: 'utf8', minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES },
    },
    body: 'json',
    id: [],
    unnamed: 'delivery',
    type: [],
    defaultType: 'changes',
    headers: ['content-type', 'user-agent'],
    successStatus: 200,
    deadline: seconds(10),
    retryHorizon: hours(24),
    redelivers: true,
    handshake: [{ kind: 'echo-query', method: 'GET', parameter: 'challenge' }],
  });
}
