import { describe, expect, it } from 'vitest';
import { secretsManagerService } from '../../../../../local/gateway/services/secrets-manager.ts';
import { createSecretStore } from '../../../../../local/secrets/secret-store.ts';
import { A_PLACE } from '../../fixtures/a-template.ts';

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:signing-local1';

const store = createSecretStore();
store.create('signing', ARN);
const service = secretsManagerService(A_PLACE, 'http://127.0.0.1:1', store);

const read = (action: string, SecretId: string) =>
  service.read({
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': `secretsmanager.${action}` },
    body: Buffer.from(JSON.stringify({ SecretId })),
  });

describe('what IAM must allow for a request to Secrets Manager', () => {
  it.each([
    ['the ARN', ARN, ARN],
    ['the name', 'signing', ARN],
    ['the name of none', 'other', 'arn:aws:secretsmanager:us-east-1:000000000000:secret:other'],
    ['the ARN of none', `${ARN}x`, `${ARN}x`],
  ])('is the action on the secret’s ARN, also by %s', (_, id, resource) => {
    expect(read('GetSecretValue', id)?.needs).toEqual([{ action: 'secretsmanager:GetSecretValue', resource }]);
  });

  it('is unknown for an action that nobody wrote down', () => {
    expect(read('DeleteSecret', ARN)).toBeUndefined();
  });
});

describe('a refusal of Secrets Manager', () => {
  it('has no prefix before its name', () => {
    const answer = service.describeError({ code: 'AccessDeniedException', message: 'User: x is not authorized' });

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body.toString())).toEqual({
      __type: 'AccessDeniedException',
      Message: 'User: x is not authorized',
    });
  });
});
