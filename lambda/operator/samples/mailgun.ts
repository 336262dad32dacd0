import type { BuildSample, ProviderSamples } from './sample.ts';

/** Time and signature are put in when the body is signed; the token is the event's id. */
const event: BuildSample = ({ id, type, now }) => ({
  signature: { timestamp: '', token: id, signature: '' },
  'event-data': {
    event: type,
    id: `event-${id}`,
    timestamp: now / 1000,
    recipient: 'lighthouse@harbour-tools.example',
    message: { headers: { 'message-id': 'sample@harbour-tools.example', subject: 'Your receipt' } },
  },
});

export const MAILGUN_SAMPLES: ProviderSamples = {
  types: { delivered: event, failed: event },
  generic: event,
  newId: (uuid) => uuid,
};
