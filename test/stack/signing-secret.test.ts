import { expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { onlyResource } from './template.ts';

it.each(['dev', 'prod'])('a deploy of %s writes no value into the secret, so it overwrites none', (stage) => {
  const secret = onlyResource(aStack({ context: { stage } }).template, 'AWS::SecretsManager::Secret');

  expect(Object.keys(secret.Properties)).toEqual(['Description']);
});

it('prod keeps the secret when the stack is deleted, dev does not', () => {
  const policies = ['prod', 'dev'].map(
    (stage) => onlyResource(aStack({ context: { stage } }).template, 'AWS::SecretsManager::Secret').DeletionPolicy,
  );

  expect(policies).toEqual(['Retain', 'Delete']);
});
