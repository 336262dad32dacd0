import { type EpochMs, toIso } from '../../core/time.ts';
import type { AnyPreset } from '../../providers/preset.ts';
import { setAt } from '../delivery/body-path.ts';
import type { ProviderSamples } from './sample.ts';

/**
 * The least body that a sender described by `hmac({…})` can send: id, type and time where the options
 * say they are, and nothing else. It shows that the description fits the receiver; for a handler to do
 * something, send a real body.
 */
export const hmacSamples = (preset: AnyPreset): ProviderSamples => ({
  types: {},
  generic: ({ id, type, now }) => {
    // Makes the bodies of two runs differ where the body itself is the event's name.
    const event: Record<string, unknown> = { sample: id };
    const first = preset.id[0];
    if (first !== undefined && 'json' in first) setAt(event, first.json, id);
    writeType(preset, event, type);
    const { eventTime } = preset;
    if (eventTime !== undefined && 'json' in eventTime.from) {
      setAt(event, eventTime.from.json, timeIn(eventTime.unit, now));
    }
    if (preset.batch === undefined) return event;
    if (preset.batch.length === 0) return [event];
    const body: Record<string, unknown> = {};
    setAt(body, preset.batch, [event]);
    return body;
  },
  newId: (uuid) => `evt_${uuid.replaceAll('-', '').slice(0, 24)}`,
});

/** Into the first entry of which every part gets a piece of the type; headers are set later, from what the body lacks. */
function writeType(preset: AnyPreset, event: Record<string, unknown>, type: string): void {
  const pieces = type.split('.');
  const entry = preset.type.find((parts) => parts.length <= pieces.length);
  entry?.forEach((part, index) => {
    const isLast = index === entry.length - 1;
    const piece = isLast ? pieces.slice(index).join('.') : (pieces[index] ?? '');
    if ('json' in part) setAt(event, part.json, piece);
  });
}

function timeIn(unit: 's' | 'ms' | 'iso8601', now: EpochMs): string | number {
  if (unit === 'iso8601') return toIso(now);
  return unit === 's' ? Math.floor(now / 1000) : now;
}
