import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const asset: BuildSample = ({ id, type, now }) => ({
  type,
  id,
  created_at: toIso(now),
  object: { type: 'asset', id: 'asset-sample' },
  data: { id: 'asset-sample', status: 'ready', duration: 54.2 },
});

export const MUX_SAMPLES: ProviderSamples = {
  types: { 'video.asset.ready': asset },
  generic: asset,
  newId: (uuid) => uuid,
};
