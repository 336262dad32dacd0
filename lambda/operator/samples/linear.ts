import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

/** The time of sending is put in when the body is signed. */
const event = (type: string, now: EpochMs) => {
  const [entity = '', action = 'update'] = type.split('.');
  return {
    action,
    type: entity,
    createdAt: toIso(now),
    organizationId: '11111111-0000-4000-8000-000000000001',
    webhookTimestamp: now,
  };
};

const issue: BuildSample = ({ id, type, now }) => ({
  ...event(type, now),
  data: { id, identifier: 'TIDE-12', title: 'Say the unit beside every height', priority: 2, updatedAt: toIso(now) },
});

export const LINEAR_SAMPLES: ProviderSamples = {
  types: { Issue: issue, 'Issue.create': issue, 'Issue.update': issue },
  generic: ({ id, type, now }) => ({ ...event(type, now), data: { id, updatedAt: toIso(now) } }),
  newId: (uuid) => uuid,
};
