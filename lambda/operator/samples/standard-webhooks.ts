import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const slipCredited: BuildSample = ({ type, now }) => ({
  type,
  timestamp: toIso(now),
  data: { account: 'stall-17', amount: 1250, slip: `S-${Math.floor(now / 1000)}` },
});

// The clock as sequence: a later run is a later change of the account.
const accountUpdated: BuildSample = ({ type, now }) => ({
  type,
  timestamp: toIso(now),
  data: { account: 'stall-17', plan: 'weekly', sequence: now },
});

/** The two of the example's `bazaar`; the id is a header, so no body holds it. */
export const STANDARD_WEBHOOKS_SAMPLES: ProviderSamples = {
  types: { 'slip.credited': slipCredited, 'account.updated': accountUpdated },
  generic: ({ type, now }) => ({ type, timestamp: toIso(now), data: {} }),
  newId: (uuid) => `msg_${uuid.replaceAll('-', '').slice(0, 24)}`,
};
