import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const order: BuildSample = ({ id, type, now }) => ({
  meta: { test_mode: true, event_name: type, webhook_id: '00000000-0000-4000-8000-000000000001' },
  data: {
    type: 'orders',
    id,
    attributes: {
      store_id: 7001,
      order_number: 61,
      status: 'paid',
      total: 4900,
      currency: 'EUR',
      user_email: 'lighthouse@harbour-tools.example',
      created_at: toIso(now),
      updated_at: toIso(now),
    },
  },
});

export const LEMON_SQUEEZY_SAMPLES: ProviderSamples = {
  types: { order_created: order },
  generic: order,
  newId: (uuid) => uuid,
};
