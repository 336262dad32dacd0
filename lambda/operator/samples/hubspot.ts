import type { BuildSample, ProviderSamples } from './sample.ts';

const event: BuildSample = ({ id, type, now }) => [
  {
    eventId: id,
    subscriptionId: 700_001,
    portalId: 44_556_677,
    appId: 998_001,
    occurredAt: now,
    subscriptionType: type,
    attemptNumber: 0,
    objectId: 15_151,
    changeSource: 'CRM_UI',
  },
];

export const HUBSPOT_SAMPLES: ProviderSamples = {
  types: { 'contact.creation': event },
  generic: event,
  newId: (uuid) => uuid,
};
