import type { Call } from '../../../../local/faults/fault.ts';
import { INBOX } from '../iam/a-role.ts';

/** A put into the inbox. */
export const aCall = (changes: Partial<Call> = {}): Call => ({
  service: 'dynamodb',
  action: 'PutItem',
  needs: [{ action: 'dynamodb:PutItem', resource: INBOX }],
  input: { TableName: 'Inbox' },
  subject: 'Inbox {"S":"a"}',
  items: 1,
  functionKey: 'receive',
  instanceId: 'i-1',
  invocationId: 'r-1',
  n: { total: 7, ofInstance: 5, ofInvocation: 2 },
  ...changes,
});
