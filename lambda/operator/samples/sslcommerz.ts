import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples, SampleEvent } from './sample.ts';

/** What is signed, and how, is put in when the body is signed. */
const payment = ({ type, now }: SampleEvent) => ({
  status: type,
  tran_date: toIso(now).slice(0, 19).replace('T', ' '),
  amount: '250.00',
  store_amount: '243.75',
  currency: 'BDT',
  bank_tran_id: '151114130739SAMPLE',
  card_type: 'BKASH-BKash',
  store_id: 'sample-store',
  risk_level: '0',
  risk_title: 'Safe',
});

const paid: BuildSample = (event) => ({ tran_id: 'cart-sample', val_id: event.id, ...payment(event) });

/** Nothing was validated, so there is no `val_id`. */
const unpaid: BuildSample = (event) => ({
  tran_id: event.id,
  ...payment(event),
  error: 'Invalid expiration date',
});

export const SSLCOMMERZ_SAMPLES: ProviderSamples = {
  types: { VALID: paid, FAILED: unpaid, CANCELLED: unpaid },
  generic: paid,
  form: true,
  newId: (uuid) => uuid.replaceAll('-', ''),
};
