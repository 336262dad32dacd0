import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const event: BuildSample = ({ type, now }) => ({
  type,
  timestamp: toIso(now),
  data: { id: 'user_sample', object: 'user', updated_at: now },
});

export const SVIX_SAMPLES: ProviderSamples = {
  types: { 'user.created': event, 'user.updated': event },
  generic: event,
  newId: (uuid) => `msg_${uuid.replaceAll('-', '').slice(0, 24)}`,
};
