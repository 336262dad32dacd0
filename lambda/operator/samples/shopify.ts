import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const order: BuildSample = ({ now }) => ({
  id: 6_200_000_000_123,
  admin_graphql_api_id: 'gid://shopify/Order/6200000000123',
  created_at: toIso(now),
  updated_at: toIso(now),
  currency: 'EUR',
  financial_status: 'paid',
  name: '#1078',
  total_price: '49.00',
  customer: { id: 7_300_000_000_456, email: 'lighthouse@harbour-tools.example' },
  line_items: [{ id: 13_500_000_000_789, title: 'Tide table', quantity: 1, price: '49.00' }],
});

export const SHOPIFY_SAMPLES: ProviderSamples = {
  types: { 'orders/create': order, 'orders/paid': order },
  generic: ({ now }) => ({ id: 6_200_000_000_123, updated_at: toIso(now) }),
  newId: (uuid) => uuid,
};
