import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { aStack, DELIVERING, EVERYTHING, type StackOptions } from './a-stack.ts';

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

describe.each<StackOptions>([
  { context: { stage: 'dev' } },
  { context: { stage: 'prod', outboxFifo: true } },
  DELIVERING,
  EVERYTHING,
])('the AwsSolutions checks of %j', (options) => {
  it('pass', () => {
    const { app, stack } = aStack(options);

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

/** A star, but within one bucket. */
const OBJECTS = 'AwsSolutions-IAM5[Resource::<RetriesQueuesBodiesBucket83F77531.Arn>/*]';

/** A star, but within stacks of one name, of which there is one. */
const OWN_STACK =
  'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:' +
  'stack/<AWS::StackName>/*]';

describe('the exceptions from the checks', () => {
  const exceptions = acknowledgedIn(aStack().stack);

  it('are these, each on one resource', () => {
    expect(exceptions.map(({ path, rule }) => [path, rule.replace(/^annotation::/i, '')])).toEqual([
      ['Oncehook-dev/SigningSecret/Secret', 'AwsSolutions-SMG4'],
      ['Oncehook-dev/Retries/Queues/Bodies/Bucket', 'AwsSolutions-S1'],
      ['Oncehook-dev/Retries/Work/Role', OBJECTS],
      ['Oncehook-dev/Receive/Role', OBJECTS],
      ['Oncehook-dev/Outbox/Queues/StreamFailures', 'AwsSolutions-SQS3'],
      ['Oncehook-dev/Ingress/Webhook', 'AwsSolutions-APIG4'],
      ['Oncehook-dev/Operator/Policy', OBJECTS],
      ['Oncehook-dev/Operator/Policy', 'AwsSolutions-IAM5[Resource::*]'],
      ['Oncehook-dev/Operator/Policy', OWN_STACK],
    ]);
  });

  it('say why', () => {
    for (const { reason } of exceptions) expect(reason.length).toBeGreaterThan(40);
  });
});
