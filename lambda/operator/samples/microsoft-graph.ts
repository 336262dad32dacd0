import { type EpochMs, hours, plus, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

/** The `clientState` is put in when the body is signed. */
const notification = (now: EpochMs, particulars: Readonly<Record<string, unknown>>) => ({
  value: [
    {
      subscriptionId: '0f6ce5b0-0000-4000-8000-000000000001',
      subscriptionExpirationDateTime: toIso(plus(now, hours(24))),
      clientState: '',
      tenantId: '84bd8158-0000-4000-8000-000000000002',
      ...particulars,
    },
  ],
});

const change: BuildSample = ({ id, type, now }) =>
  notification(now, {
    id,
    changeType: type,
    resource: 'users/sample-user/messages/sample-message',
    resourceData: {
      '@odata.type': '#Microsoft.Graph.Message',
      '@odata.id': 'users/sample-user/messages/sample-message',
      id: 'sample-message',
    },
  });

/** Microsoft Graph names none of these. */
const lifecycle: BuildSample = ({ type, now }) => notification(now, { lifecycleEvent: type });

export const MICROSOFT_GRAPH_SAMPLES: ProviderSamples = {
  types: {
    created: change,
    updated: change,
    deleted: change,
    reauthorizationRequired: lifecycle,
    subscriptionRemoved: lifecycle,
    missed: lifecycle,
  },
  generic: change,
  newId: (uuid) => uuid,
};
