import type { BuildSample, ProviderSamples } from './sample.ts';

/** Minor units: 49.00. */
const AMOUNT = 4900;

const invoicePaid: BuildSample = ({ id, type, now }) => {
  const created = Math.floor(now / 1000);
  return {
    id,
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    data: {
      object: {
        id: `in_sample_${created}`,
        object: 'invoice',
        amount_due: AMOUNT,
        amount_paid: AMOUNT,
        amount_remaining: 0,
        attempt_count: 1,
        billing_reason: 'subscription_cycle',
        created,
        currency: 'eur',
        customer: 'cus_sample_lighthouse',
        customer_name: 'Lighthouse Bakery',
        number: 'LHB-0042',
        status: 'paid',
        total: AMOUNT,
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
};

export const STRIPE_SAMPLES: ProviderSamples = {
  types: { 'invoice.paid': invoicePaid },
  newId: (uuid) => `evt_${uuid.replaceAll('-', '').slice(0, 24)}`,
};
