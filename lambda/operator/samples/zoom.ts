import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const meetingEnded: BuildSample = ({ id, type, now }) => ({
  event: type,
  event_ts: now,
  payload: {
    account_id: 'sample-account',
    object: { id: '85746065432', uuid: id, topic: 'Tide table', type: 2, duration: 54, end_time: toIso(now) },
  },
});

export const ZOOM_SAMPLES: ProviderSamples = {
  types: { 'meeting.ended': meetingEnded },
  generic: ({ id, type, now }) => ({
    event: type,
    event_ts: now,
    payload: { account_id: 'sample-account', object: { uuid: id } },
  }),
  newId: (uuid) => uuid,
};
