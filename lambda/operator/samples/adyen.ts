import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

/** Signatures are put in when the body is signed. */
const delivery = (id: string, type: string, now: EpochMs, particulars: Readonly<Record<string, unknown>>) => ({
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        additionalData: {},
        amount: { currency: 'EUR', value: 1250 },
        eventCode: type,
        eventDate: toIso(now),
        merchantAccountCode: 'HarbourToolsECOM',
        merchantReference: 'cart-sample',
        paymentMethod: 'visa',
        pspReference: id,
        reason: '',
        success: 'true',
        ...particulars,
      },
    },
  ],
});

const authorisation: BuildSample = ({ id, type, now }) =>
  delivery(id, type, now, { operations: ['CANCEL', 'CAPTURE', 'REFUND'], reason: '012345:1111:03/2030' });

/** Of a payment that was authorised before. */
const modification: BuildSample = ({ id, type, now }) =>
  delivery(id, type, now, { originalReference: 'SAMPLE0000000001' });

export const ADYEN_SAMPLES: ProviderSamples = {
  types: { AUTHORISATION: authorisation, CAPTURE: modification, REFUND: modification, CANCELLATION: modification },
  generic: ({ id, type, now }) => delivery(id, type, now, {}),
  newId: (uuid) => uuid.replaceAll('-', '').slice(0, 16).toUpperCase(),
};
