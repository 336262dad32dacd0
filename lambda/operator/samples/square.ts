import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const event = (id: string, type: string, now: EpochMs) => ({
  merchant_id: 'SAMPLE0000001',
  type,
  event_id: id,
  created_at: toIso(now),
});

const payment: BuildSample = ({ id, type, now }) => ({
  ...event(id, type, now),
  data: {
    type: 'payment',
    id: 'payment-sample',
    object: {
      payment: {
        id: 'payment-sample',
        status: 'COMPLETED',
        version: Math.floor(now / 1000),
        amount_money: { amount: 850, currency: 'USD' },
        updated_at: toIso(now),
      },
    },
  },
});

export const SQUARE_SAMPLES: ProviderSamples = {
  types: { 'payment.created': payment, 'payment.updated': payment },
  generic: ({ id, type, now }) => ({ ...event(id, type, now), data: {} }),
  newId: (uuid) => uuid,
};
