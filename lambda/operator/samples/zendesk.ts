import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const event: BuildSample = ({ id, type, now }) => ({
  id,
  type,
  time: toIso(now),
  account_id: 12345,
  zendesk_event_version: '2022-11-06',
  subject: 'zen:ticket:4711',
  detail: { id: '4711', subject: 'High water is an hour late', status: 'OPEN', updated_at: toIso(now) },
  event: {},
});

export const ZENDESK_SAMPLES: ProviderSamples = {
  types: { 'zen:event-type:ticket.created': event },
  generic: event,
  newId: (uuid) => uuid,
};
