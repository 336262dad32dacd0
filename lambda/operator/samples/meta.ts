import { type BuildSample, type ProviderSamples, toSeconds } from './sample.ts';

const change = (value: Readonly<Record<string, unknown>>) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '100000000000001',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '15550001111', phone_number_id: '200000000000002' },
            ...value,
          },
        },
      ],
    },
  ],
});

const text: BuildSample = ({ id, now }) =>
  change({
    contacts: [{ profile: { name: 'Wren K.' }, wa_id: '15550003333' }],
    messages: [
      { id, from: '15550003333', timestamp: String(toSeconds(now)), type: 'text', text: { body: 'Is it high water?' } },
    ],
  });

const status: BuildSample = ({ id, type, now }) =>
  change({
    statuses: [
      {
        id,
        status: type.slice('messages.'.length),
        timestamp: String(toSeconds(now)),
        recipient_id: '15550003333',
      },
    ],
  });

export const META_SAMPLES: ProviderSamples = {
  types: {
    messages: text,
    'messages.text': text,
    'messages.sent': status,
    'messages.delivered': status,
    'messages.read': status,
  },
  newId: (uuid) => `wamid.${uuid.replaceAll('-', '').slice(0, 24)}`,
};
