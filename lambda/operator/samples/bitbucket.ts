import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const push: BuildSample = ({ now }) => ({
  actor: { display_name: 'Wren K.', type: 'user' },
  repository: { full_name: 'harbour-tools/tide-table', name: 'tide-table', type: 'repository' },
  push: {
    changes: [
      {
        new: { name: 'main', type: 'branch', target: { hash: 'a1'.repeat(20), date: toIso(now) } },
        commits: [{ hash: 'a1'.repeat(20), message: 'Read the tide gauge once a minute' }],
      },
    ],
  },
});

export const BITBUCKET_SAMPLES: ProviderSamples = {
  types: { 'repo:push': push },
  generic: () => ({ repository: { full_name: 'harbour-tools/tide-table' } }),
  newId: (uuid) => uuid,
};
