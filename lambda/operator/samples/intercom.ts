import { type BuildSample, type ProviderSamples, toSeconds } from './sample.ts';

const notification: BuildSample = ({ id, type, now }) => ({
  type: 'notification_event',
  id,
  topic: type,
  app_id: 'sample',
  created_at: toSeconds(now),
  data: { type: 'notification_event_data', item: { type: 'conversation', id: '4711', updated_at: toSeconds(now) } },
});

export const INTERCOM_SAMPLES: ProviderSamples = {
  types: { 'conversation.user.created': notification },
  generic: notification,
  newId: (uuid) => `notif_${uuid.replaceAll('-', '').slice(0, 24)}`,
};
