import type { FunctionRole } from '../../../../local/iam/function-role.ts';

type Texts = string | readonly string[];

export const allow = (Action: Texts, Resource: Texts, more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});

export const deny = (Action: Texts, Resource: Texts) => ({ Effect: 'Deny', Action, Resource });

/** The role of `receive` with one policy of these statements. */
export const aRole = (...statements: readonly object[]): FunctionRole => ({
  functionKey: 'receive',
  functionName: 'Oncehook-dev-Receive',
  roleName: 'Oncehook-dev-ReceiveRole',
  logGroup: 'Oncehook-dev-ReceiveLogs',
  policies: [{ name: 'Receive', document: { Version: '2012-10-17', Statement: statements } }],
});

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table';
export const INBOX = `${TABLE}/Inbox`;
export const OUTBOX = `${TABLE}/Outbox`;
