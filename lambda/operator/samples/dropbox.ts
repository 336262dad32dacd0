import type { BuildSample, ProviderSamples } from './sample.ts';

const changes: BuildSample = () => ({
  list_folder: { accounts: ['dbid:AAsample'] },
  delta: { users: [12345] },
});

export const DROPBOX_SAMPLES: ProviderSamples = {
  types: { changes },
  newId: (uuid) => uuid,
};
