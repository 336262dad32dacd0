import { type BuildSample, type ProviderSamples, toSeconds } from './sample.ts';

const event: BuildSample = ({ type, now }) => ({
  entity: 'event',
  account_id: 'acc_sample',
  event: type,
  contains: ['payment'],
  payload: {
    payment: {
      entity: {
        id: 'pay_sample',
        entity: 'payment',
        amount: 50_000,
        currency: 'INR',
        status: 'captured',
        created_at: toSeconds(now),
      },
    },
  },
  created_at: toSeconds(now),
});

export const RAZORPAY_SAMPLES: ProviderSamples = {
  types: { 'payment.captured': event },
  generic: event,
  newId: (uuid) => `evt_${uuid.replaceAll('-', '').slice(0, 24)}`,
};
