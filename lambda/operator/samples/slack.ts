import type { EpochMs } from '../../core/time.ts';
import { type BuildSample, type ProviderSamples, toSeconds } from './sample.ts';

const message: BuildSample = ({ id, now }) => ({
  ...envelope(id, now),
  event: {
    type: 'message',
    channel: 'C0HARBOUR1',
    channel_type: 'channel',
    user: 'U0WREN0001',
    text: 'High water at five?',
    ts: `${toSeconds(now)}.000200`,
  },
});

const envelope = (id: string, now: EpochMs) => ({
  type: 'event_callback',
  event_id: id,
  event_time: toSeconds(now),
  team_id: 'T0HARBOUR1',
  api_app_id: 'A0SAMPLE01',
});

export const SLACK_SAMPLES: ProviderSamples = {
  types: { message },
  generic: ({ id, type, now }) => ({ ...envelope(id, now), event: { type } }),
  newId: (uuid) => `Ev${uuid.replaceAll('-', '').slice(0, 24)}`,
};
