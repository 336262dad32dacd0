import { describe, expect, it } from 'vitest';
import { buildCommit } from '../../../lambda/adapters/dynamodb/build-commit.ts';
import type { CommitRequest } from '../../../lambda/core/ports.ts';
import { anEvent } from '../../support/events.ts';
import { T0 } from '../../support/manual-clock.ts';

const request = (changes: Partial<CommitRequest>): CommitRequest => ({
  claim: { event: anEvent(), token: 'token', attempts: 1, failures: 0, receivedAt: T0, steps: {} },
  committedAt: T0,
  expiresAt: undefined,
  result: undefined,
  order: undefined,
  writes: [],
  messages: [],
  ...changes,
});

describe('a commit of a function that has the inbox alone', () => {
  it('has the inbox row in it', () => {
    expect(buildCommit({ inbox: 'inbox' }, request({})).TransactItems).toMatchObject([
      { Update: { TableName: 'inbox' } },
    ]);
  });

  it.each([
    ['outbox message', { messages: [{ id: 's#e#1', topic: 't', payload: '{}', group: undefined }] }],
    ['order', { order: { resource: 'r', sequence: '1', tie: 'drop' } }],
  ] satisfies [string, Partial<CommitRequest>][])('is refused before it is sent when it has an %s', (what, changes) => {
    expect(() => buildCommit({ inbox: 'inbox' }, request(changes))).toThrow(`an ${what} has no table`);
  });
});
