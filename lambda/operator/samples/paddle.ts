import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const event = (id: string, type: string, now: EpochMs) => ({
  event_id: id,
  event_type: type,
  occurred_at: toIso(now),
  notification_id: `ntf_${id}`,
});

const transaction: BuildSample = ({ id, type, now }) => ({
  ...event(id, type, now),
  data: {
    id: 'txn_sample',
    status: 'completed',
    customer_id: 'ctm_sample_lighthouse',
    currency_code: 'EUR',
    details: { totals: { grand_total: '4900', currency_code: 'EUR' } },
    updated_at: toIso(now),
  },
});

export const PADDLE_SAMPLES: ProviderSamples = {
  types: { 'transaction.completed': transaction },
  generic: ({ id, type, now }) => ({ ...event(id, type, now), data: {} }),
  newId: (uuid) => `evt_${uuid.replaceAll('-', '').slice(0, 24)}`,
};
