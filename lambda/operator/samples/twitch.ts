import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const subscription = (type: string, now: EpochMs) => ({
  id: '7f3d1c1a-0000-4000-8000-000000000001',
  type,
  version: '2',
  status: 'enabled',
  condition: { broadcaster_user_id: '1337' },
  created_at: toIso(now),
});

const follow: BuildSample = ({ type, now }) => ({
  subscription: subscription(type, now),
  event: { user_id: '1234', user_login: 'wren_k', broadcaster_user_id: '1337', followed_at: toIso(now) },
});

export const TWITCH_SAMPLES: ProviderSamples = {
  types: { 'channel.follow': follow },
  generic: ({ type, now }) => ({ subscription: subscription(type, now), event: {} }),
  newId: (uuid) => uuid,
};
