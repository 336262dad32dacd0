import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';

const acknowledgedIn = (stack: ReturnType<typeof aStack>['stack']) =>
  stack.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries<string>(data).map(([rule, reason]) => ({ path: node.path, rule, reason })),
        ),
    );

describe.each([{ stage: 'dev' }, { stage: 'prod', outboxFifo: true }])('the AwsSolutions checks of %j', (context) => {
  it('pass', () => {
    const { app, stack } = aStack({ context });

    expect(new AwsSolutionsChecks(app, { verbose: true }).validateScope(stack)).toEqual({
      success: true,
      violations: [],
    });
  });
});

it('the checks can run in every synth too, as a plugin', () => {
  const { app } = aStack();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

  expect(() => app.synth()).not.toThrow();
});

describe('the exceptions from the checks', () => {
  const exceptions = acknowledgedIn(aStack().stack);

  it('are these three, each on one resource', () => {
    expect(exceptions.map(({ path, rule }) => [path, rule.replace(/^annotation::/i, '')])).toEqual([
      ['Oncehook-dev/SigningSecret/Secret', 'AwsSolutions-SMG4'],
      ['Oncehook-dev/Outbox/Queues/StreamFailures', 'AwsSolutions-SQS3'],
      ['Oncehook-dev/Ingress/Webhook', 'AwsSolutions-APIG4'],
    ]);
  });

  it('say why', () => {
    for (const { reason } of exceptions) expect(reason.length).toBeGreaterThan(40);
  });
});
