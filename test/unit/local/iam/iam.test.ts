import { describe, expect, it } from 'vitest';
import { createIam, type Denial } from '../../../../local/iam/iam.ts';
import { A_PLACE } from '../fixtures/a-template.ts';
import { allow, aRole, deny, INBOX, OUTBOX } from './a-role.ts';

async function iamWith(...statements: readonly object[]) {
  const denials: Denial[] = [];
  const iam = createIam(A_PLACE, (denial) => denials.push(denial));
  await iam.replace([aRole(...statements)]);
  const ask = (action: string, resource: string, functionKey = 'receive'): boolean =>
    iam.authorize({ functionKey, instanceId: 'i-1', action, resource }) === undefined;
  return { iam, ask, denials };
}

const BUCKET = 'arn:aws:s3:::bodies/*';

describe('what IAM decides', () => {
  it('is yes for what a statement allows, with its wildcards, and no for the rest', async () => {
    const { ask } = await iamWith(allow(['dynamodb:GetItem', 'dynamodb:Put*'], INBOX), allow('s3:GetObject', BUCKET));

    expect(ask('dynamodb:GetItem', INBOX)).toBe(true);
    expect(ask('dynamodb:PutItem', INBOX)).toBe(true);
    expect(ask('dynamodb:PutItem', OUTBOX)).toBe(false);
    expect(ask('dynamodb:DeleteItem', INBOX)).toBe(false);
    expect(ask('dynamodb:Query', `${INBOX}/index/attention`)).toBe(false);
    expect(ask('s3:GetObject', 'arn:aws:s3:::bodies/a/b')).toBe(true);
    expect(ask('s3:PutObject', 'arn:aws:s3:::bodies/a/b')).toBe(false);
  });

  it('is no for a function that has no role', async () => {
    const { ask, denials } = await iamWith(allow('dynamodb:GetItem', INBOX));

    expect(ask('dynamodb:GetItem', INBOX, 'stranger')).toBe(false);
    expect(denials[0]?.message).toContain('User: stranger is not authorized');
  });

  it('is no where a statement denies, in words of its own', async () => {
    const { ask, denials } = await iamWith(allow('dynamodb:*', INBOX), deny('dynamodb:DeleteItem', INBOX));

    expect(ask('dynamodb:PutItem', INBOX)).toBe(true);
    expect(ask('dynamodb:DeleteItem', INBOX)).toBe(false);
    expect(denials[0]?.message).toMatch(/ with an explicit deny in an identity-based policy$/);
  });

  it.each([
    [{ StringEquals: { 'aws:RequestedRegion': 'us-east-1' } }, true],
    [{ StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } }, false],
    [{ Bool: { 'aws:SecureTransport': 'true' } }, true],
    [{ StringEquals: { 'aws:SourceVpce': 'vpce-1' } }, false],
  ])('with the condition %j is %j', async (Condition, allowed) => {
    const { ask } = await iamWith(allow('dynamodb:GetItem', INBOX, { Condition }));

    expect(ask('dynamodb:GetItem', INBOX)).toBe(allowed);
  });

  it('changes with the roles', async () => {
    const { iam, ask } = await iamWith(allow('dynamodb:GetItem', INBOX));
    ask('dynamodb:GetItem', INBOX);

    await iam.replace([aRole(allow('dynamodb:PutItem', INBOX))]);

    expect(ask('dynamodb:GetItem', INBOX)).toBe(false);
    expect(ask('dynamodb:PutItem', INBOX)).toBe(true);
  });

  it('stays what it was when a new policy is none that IAM would take', async () => {
    const { iam, ask } = await iamWith(allow('dynamodb:GetItem', INBOX));

    const replaced = iam.replace([aRole({ Effect: 'Permit', Action: 'dynamodb:PutItem', Resource: INBOX })]);

    await expect(replaced).rejects.toThrow(/^IAM would not take a policy of Oncehook-dev-ReceiveRole: Receive: /);
    expect(ask('dynamodb:GetItem', INBOX)).toBe(true);
  });
});

describe('a grant that is withheld', () => {
  it('is refused until it is given back, and the others are not', async () => {
    const { iam, ask } = await iamWith(allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [INBOX, OUTBOX]));
    const put = { functionKey: 'receive', action: 'dynamodb:PutItem', resource: INBOX };
    ask('dynamodb:PutItem', INBOX);

    const giveBack = iam.withhold(put);
    const meanwhile = [ask('dynamodb:PutItem', INBOX), ask('dynamodb:PutItem', OUTBOX), ask('dynamodb:GetItem', INBOX)];
    giveBack();

    expect(meanwhile).toEqual([false, true, true]);
    expect(ask('dynamodb:PutItem', INBOX)).toBe(true);
  });

  it('is still withheld after a deploy, and still one of the grants', async () => {
    const { iam, ask } = await iamWith(allow('dynamodb:PutItem', INBOX));
    const put = { functionKey: 'receive', action: 'dynamodb:PutItem', resource: INBOX };
    iam.withhold(put);

    await iam.replace([aRole(allow('dynamodb:PutItem', INBOX))]);

    expect(ask('dynamodb:PutItem', INBOX)).toBe(false);
    expect(iam.grants).toEqual([put]);
  });
});

describe('what IAM remembers', () => {
  it('is each access once, those allowed and those refused', async () => {
    const { iam, ask, denials } = await iamWith(allow('dynamodb:GetItem', INBOX));

    for (const action of ['dynamodb:GetItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:PutItem'])
      ask(action, INBOX);

    expect(iam.used).toEqual([{ functionKey: 'receive', action: 'dynamodb:GetItem', resource: INBOX }]);
    expect(iam.denied).toEqual([{ functionKey: 'receive', action: 'dynamodb:PutItem', resource: INBOX }]);
    expect(denials).toHaveLength(2);
  });

  it('tells which grants nothing has used, and starts anew when told', async () => {
    const { iam, ask } = await iamWith(allow(['dynamodb:GetItem', 'dynamodb:PutItem'], INBOX), allow('s3:*', BUCKET));
    const actions = () => iam.unusedGrants().map(({ action }) => action);
    ask('dynamodb:GetItem', INBOX);
    ask('s3:GetObject', 'arn:aws:s3:::bodies/a');

    const afterTwo = actions();
    iam.forgetAccesses();

    expect(afterTwo).toEqual(['dynamodb:PutItem']);
    expect(actions()).toEqual(['dynamodb:GetItem', 'dynamodb:PutItem', 's3:*']);
    expect(iam.used).toEqual([]);
  });
});
