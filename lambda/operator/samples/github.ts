import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples } from './sample.ts';

const OWNER = { login: 'harbour-tools', id: 7001, type: 'Organization', site_admin: false };
const SENDER = { login: 'wren-k', id: 7002, type: 'User', site_admin: false };
const REPOSITORY = {
  id: 7003,
  name: 'tide-table',
  full_name: 'harbour-tools/tide-table',
  private: false,
  owner: OWNER,
  html_url: 'https://github.example/harbour-tools/tide-table',
  default_branch: 'main',
};
const AUTHOR = { name: 'Wren K.', email: 'wren@harbour-tools.example', username: 'wren-k' };

const BEFORE = '0'.repeat(39).concat('1');
const FIRST = 'a1'.repeat(20);
const SECOND = 'b2'.repeat(20);

const commit = (sha: string, message: string, modified: readonly string[], now: EpochMs) => ({
  id: sha,
  distinct: true,
  message,
  timestamp: toIso(now),
  url: `${REPOSITORY.html_url}/commit/${sha}`,
  author: AUTHOR,
  committer: AUTHOR,
  added: [],
  removed: [],
  modified,
});

const push: BuildSample = ({ now }) => {
  const commits = [
    commit(FIRST, 'Read the tide gauge once a minute', ['gauge.ts'], now),
    commit(SECOND, 'Say the unit beside every height', ['table.ts', 'README.md'], now),
  ];
  return {
    ref: 'refs/heads/main',
    before: BEFORE,
    after: SECOND,
    created: false,
    deleted: false,
    forced: false,
    compare: `${REPOSITORY.html_url}/compare/${BEFORE.slice(0, 12)}...${SECOND.slice(0, 12)}`,
    commits,
    head_commit: commits[1],
    repository: REPOSITORY,
    pusher: { name: AUTHOR.username, email: AUTHOR.email },
    sender: SENDER,
  };
};

const ping: BuildSample = ({ now }) => ({
  zen: 'A quiet log is read.',
  hook_id: 7004,
  hook: {
    type: 'Repository',
    id: 7004,
    name: 'web',
    active: true,
    events: ['push'],
    config: { content_type: 'json', insecure_ssl: '0' },
    created_at: toIso(now),
  },
  repository: REPOSITORY,
  sender: SENDER,
});

const issueOpened: BuildSample = ({ now }) => ({
  action: 'opened',
  issue: {
    id: 7005,
    number: 12,
    title: 'High water is an hour late after the clock change',
    body: 'Since Sunday the table is one hour behind the gauge.',
    state: 'open',
    user: SENDER,
    labels: [],
    created_at: toIso(now),
  },
  repository: REPOSITORY,
  sender: SENDER,
});

/** The delivery id is a header, so no body holds it. */
export const GITHUB_SAMPLES: ProviderSamples = {
  types: { push, ping, 'issues.opened': issueOpened },
  newId: (uuid) => uuid,
};
