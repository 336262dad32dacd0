import { describe, expect, it } from 'vitest';
import { matchRoute } from '../../../../local/http/routes.ts';

const routes = [
  { key: '$default', target: 'default' },
  { key: 'ANY /webhooks/{source}', target: 'any source' },
  { key: 'POST /webhooks/{source}', target: 'post source' },
  { key: 'ANY /webhooks/health', target: 'health' },
  { key: 'ANY /files/{path+}', target: 'files' },
];

const match = (method: string, path: string, among = routes) => {
  const found = matchRoute(among, method, path);
  return found === undefined ? undefined : { to: found.route.target, ...found.pathParameters };
};

describe('the route of a request', () => {
  it.each([
    ['GET', '/webhooks/stripe', { to: 'any source', source: 'stripe' }],
    ['POST', '/webhooks/stripe', { to: 'post source', source: 'stripe' }],
    ['POST', '/webhooks/health', { to: 'health' }],
    ['GET', '/files/a/b', { to: 'files', path: 'a/b' }],
    ['GET', '/elsewhere', { to: 'default' }],
  ])('%s %s', (method, path, expected) => {
    expect(match(method, path)).toEqual(expected);
  });

  it.each(['/webhooks', '/webhooks/', '/webhooks/stripe/', '/webhooks/a/b', '/Webhooks/stripe'])(
    'is none for %s, which is another path',
    (path) => {
      const found = match('POST', path, [{ key: 'ANY /webhooks/{source}', target: 'any source' }]);

      expect(found).toBeUndefined();
    },
  );
});
