import { toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const project = {
  id: 7003,
  name: 'tide-table',
  path_with_namespace: 'harbour-tools/tide-table',
  default_branch: 'main',
};

const push: BuildSample = ({ now }) => ({
  object_kind: 'push',
  event_name: 'push',
  before: '0'.repeat(39).concat('1'),
  after: 'a1'.repeat(20),
  ref: 'refs/heads/main',
  user_username: 'wren-k',
  project_id: project.id,
  project,
  commits: [{ id: 'a1'.repeat(20), message: 'Read the tide gauge once a minute', timestamp: toIso(now) }],
  total_commits_count: 1,
});

/** `merge_request.open` is a kind and an action. */
const other: BuildSample = ({ type }) => {
  const [kind, action] = type.split('.');
  return { object_kind: kind, project, ...(action === undefined ? {} : { object_attributes: { action } }) };
};

export const GITLAB_SAMPLES: ProviderSamples = {
  types: { push },
  generic: other,
  newId: (uuid) => uuid,
};
