import { hours, seconds } from '../core/time.ts';
import type { DiscordEventType } from './event-types.ts';
import { freezePreset } from './freeze-preset.ts';
import { refuseUnknownOptions } from './known-options.ts';
import type { KnownTypes, ProviderPreset } from './preset.ts';

/** Nothing about Discord has to be chosen; a tolerance is an option of the source. */
export type DiscordOptions = Readonly<Record<string, never>>;

/**
 * Discord webhook events. Interactions are signed the same way, but want an answer of their own within 3 s
 * and are not events.
 *
 * - Signature: Ed25519, 128 hex digits in `x-signature-ed25519`, over `<x-signature-timestamp><body>`. The
 *   "secret" is the application's public key, 64 hex digits (read in the official SDK, discord-interactions
 *   4.4.0). The digits are decoded, so upper case verifies, as in the SDK.
 * - Discord names no tolerance and neither does its SDK, so an old timestamp passes and the inbox stops the
 *   replay; `toleranceSeconds` on the source sets a limit.
 * - A wrong signature has to be answered with 401: Discord sends some on purpose, and removes the URL
 *   (documented).
 * - An event has no id. Its time has microseconds, so the body's hash names it.
 * - Success is 204 without a body; deadline 3 s; retries for up to 10 minutes; no order (all documented).
 * - Handshakes, both signed: the PING of webhook events, `type` 0, is answered 204, that of interactions,
 *   `type` 1 without an `event`, with `{"type":1}` (documented).
 *
 * @see https://docs.discord.com/developers/events/webhook-events
 */
export function discord(options: DiscordOptions = {}): ProviderPreset & KnownTypes<DiscordEventType> {
  refuseUnknownOptions('discord', options, []);
  return freezePreset({
    name: 'discord',
    scheme: {
      kind: 'public-key',
      header: 'x-signature-ed25519',
      format: { kind: 'bare' },
      encoding: 'hex',
      lenient: true,
      timestamp: { from: { header: 'x-signature-timestamp' }, unit: 's' },
      signed: ['timestamp', 'body'],
      secret: { encoding: 'hex', minKeyBytes: 32, publicKey: 'ed25519' },
    },
    body: 'json',
    id: [],
    type: [[{ json: ['event', 'type'] }]],
    eventTime: { from: { json: ['event', 'timestamp'] }, unit: 'iso8601' },
    headers: ['content-type', 'user-agent', 'x-signature-timestamp'],
    successStatus: 204,
    deadline: seconds(3),
    retryHorizon: hours(1),
    redelivers: true,
    handshake: [
      { kind: 'fixed', mark: { at: { json: ['type'] }, is: '0' }, status: 204 },
      { kind: 'fixed', mark: { at: { json: ['type'] }, is: '1', without: ['event'] }, status: 200, json: { type: 1 } },
    ],
  });
}
