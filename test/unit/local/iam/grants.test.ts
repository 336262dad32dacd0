import { describe, expect, it } from 'vitest';
import type { Access } from '../../../../local/iam/function-role.ts';
import { covers, grantsOf, withoutGrant } from '../../../../local/iam/grants.ts';
import { allow, aRole, deny, INBOX, OUTBOX } from './a-role.ts';

const receive = (action: string, resource: string): Access => ({ functionKey: 'receive', action, resource });

describe('the grants of a role', () => {
  it('are each action on each resource of what its statements allow', () => {
    const role = aRole(
      allow(['dynamodb:GetItem', 'dynamodb:PutItem'], INBOX),
      allow('dynamodb:PutItem', [INBOX, OUTBOX]),
      deny('dynamodb:DeleteItem', INBOX),
      { Effect: 'Allow', NotAction: 'iam:*', Resource: '*' },
    );

    expect(grantsOf(role)).toEqual([
      receive('dynamodb:GetItem', INBOX),
      receive('dynamodb:PutItem', INBOX),
      receive('dynamodb:PutItem', INBOX),
      receive('dynamodb:PutItem', OUTBOX),
    ]);
  });

  it('are those of a statement outside a list, too', () => {
    const role = aRole();
    const policies = [{ name: 'p', document: { Version: '2012-10-17', Statement: allow('sqs:SendMessage', 'q') } }];

    expect(grantsOf({ ...role, policies })).toEqual([receive('sqs:SendMessage', 'q')]);
  });

  it('without one are all others, in every statement', () => {
    const role = aRole(
      allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [INBOX, OUTBOX]),
      allow('dynamodb:PutItem', INBOX),
      deny('dynamodb:PutItem', INBOX),
    );

    const narrowed = withoutGrant(role, receive('dynamodb:PutItem', INBOX));

    expect(grantsOf(narrowed)).toEqual([
      receive('dynamodb:GetItem', INBOX),
      receive('dynamodb:GetItem', OUTBOX),
      receive('dynamodb:PutItem', OUTBOX),
    ]);
    expect(narrowed.policies[0]?.document['Statement']).toContainEqual(deny('dynamodb:PutItem', INBOX));
  });

  it('stay as they are when another function’s is taken out', () => {
    const role = aRole(allow('dynamodb:PutItem', INBOX));

    expect(withoutGrant(role, { ...receive('dynamodb:PutItem', INBOX), functionKey: 'work' })).toBe(role);
  });
});

describe('a grant', () => {
  it.each([
    ['dynamodb:PutItem', INBOX, true],
    ['DynamoDB:putitem', INBOX, true],
    ['dynamodb:*', INBOX, true],
    ['dynamodb:Put????', INBOX, true],
    ['dynamodb:Put???', INBOX, false],
    ['dynamodb:PutItem', `${INBOX}2`, false],
    ['dynamodb:PutItem', INBOX.replace('Inbox', '*'), true],
    ['dynamodb:PutItem', INBOX.replace(':table', '.table'), false],
    ['dynamodb:GetItem', INBOX, false],
  ])('of %s on %s covers a put into the inbox: %j', (action, resource, covered) => {
    expect(covers(receive(action, resource), receive('dynamodb:PutItem', INBOX))).toBe(covered);
  });

  it('covers nothing that another function does', () => {
    const put = receive('dynamodb:PutItem', INBOX);

    expect(covers(put, { ...put, functionKey: 'work' })).toBe(false);
  });
});
