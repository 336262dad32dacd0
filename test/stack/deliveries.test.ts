import { describe, expect, it } from 'vitest';
import { ENV } from '../../lambda/contract.ts';
import { milliseconds } from '../../lambda/core/time.ts';
import { waitBeforeNext } from '../../lambda/deliver/next-attempt.ts';
import { Refusal } from '../../lib/refusal.ts';
import { readSettings } from '../../lib/settings.ts';
import { aPreset, aStack, DELIVERING, someSources } from './a-stack.ts';
import { lambda, queue, resourcesOf, resourcesOfType } from './template.ts';

const BILLING = DELIVERING.context.deliverTo;
const withTargets = (deliverTo: unknown = BILLING, context = {}) =>
  aStack({ consumer: false, context: { deliverTo, ...context } });

const { template } = withTargets();
const without = aStack({ consumer: false }).template;

const DAY_MS = 86_400_000;

describe('a stack with targets', () => {
  const [all, kept] = [Object.keys(resourcesOf(template)), Object.keys(resourcesOf(without))];

  it('adds the deliverer and its alarm to what there is without, and changes nothing', () => {
    const added = all.filter((id) => !kept.includes(id));

    expect(kept.filter((id) => !all.includes(id))).toEqual([]);
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((id) => !/^(Deliveries|ObservabilityDeliveriesDlq)/.test(id))).toEqual([]);
  });

  it('is the only one that knows anything of them', () => {
    expect(JSON.stringify(without.toJSON())).not.toMatch(/DeliveriesD|-deliveries-|DELIVER_TARGETS|DeliveryFailed/);
  });

  it('may be told of them in JSON text too, as on the command line', () => {
    expect(withTargets(JSON.stringify(BILLING)).template.toJSON()).toEqual(template.toJSON());
  });

  it('may have no other consumer of the outbox queue', () => {
    const build = () => aStack({ consumer: true, context: { deliverTo: BILLING } });

    expect(build).toThrow(Refusal);
    expect(build).toThrow(/deliverTo and lambda\/handlers\/consumer\.ts .* export `consumer` as undefined/);
  });

  it('says where its queues are', () => {
    expect(Object.keys(template.findOutputs('*')).filter((id) => id.startsWith('Deliveries'))).toEqual([
      'DeliveriesQueueUrl',
      'DeliveriesDlqUrl',
    ]);
  });
});

describe('the deliverer', () => {
  const mappings = Object.values(resourcesOfType(template, 'AWS::Lambda::EventSourceMapping')).filter(
    ({ Properties }) => /^DeliveriesDeliver/.test(Properties.FunctionName.Ref),
  );
  const of = (source: RegExp) =>
    mappings.find(({ Properties }) => source.test(Properties.EventSourceArn['Fn::GetAtt'][0]))?.Properties;

  it('splits messages of the outbox queue ten at a time, and posts one of its own at a time', () => {
    expect(mappings).toHaveLength(2);
    expect(of(/^OutboxQueuesQueue/)).toMatchObject({ BatchSize: 10, ScalingConfig: { MaximumConcurrency: 10 } });
    expect(of(/^DeliveriesQueuesQueue/)).toMatchObject({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 50 } });
  });

  it('keeps the messages that its answer names', () => {
    expect(mappings.map(({ Properties }) => Properties.FunctionResponseTypes)).toEqual([
      ['ReportBatchItemFailures'],
      ['ReportBatchItemFailures'],
    ]);
  });

  it.each([
    [undefined, 25],
    [1, 16],
    [30, 45],
  ])(
    'has time for the longest request, %j s, and ends while its messages are hidden (SQS-01)',
    (timeoutSeconds, expected) => {
      const quick = { url: 'https://example.com', timeoutSeconds: 1 };
      const one = withTargets({ billing: { ...BILLING.billing, timeoutSeconds }, quick }).template;
      const { Timeout } = lambda(one, 'DeliveriesDeliver').Properties;

      expect(Timeout).toBe(expected);
      expect(queue(one, 'DeliveriesQueuesQueue').Properties.VisibilityTimeout).toBe(6 * Timeout);
      // The longest function that Lambda lets read the outbox queue.
      expect(queue(one, 'OutboxQueuesQueue').Properties.VisibilityTimeout).toBeGreaterThanOrEqual(Timeout);
    },
  );

  it.each([
    [false, 'false'],
    [true, 'true'],
  ])('finds in its environment what it needs, and nothing else, with outboxFifo %j', (outboxFifo, told) => {
    const built = withTargets(BILLING, { outboxFifo }).template;

    expect(lambda(built, 'DeliveriesDeliver').Properties.Environment.Variables).toEqual({
      [ENV.deliverTargets]: JSON.stringify(BILLING),
      [ENV.deliveriesQueueUrl]: { Ref: expect.stringMatching(/^DeliveriesQueuesQueue/) },
      [ENV.outboxFifo]: told,
      [ENV.signingSecretId]: { Ref: expect.stringMatching(/^SigningSecret/) },
    });
  });

  it('may read two queues, send to its own, read the secrets and write its log', () => {
    const role = Object.entries(resourcesOfType(template, 'AWS::IAM::Role')).find(([id]) =>
      id.startsWith('DeliveriesDeliver'),
    )?.[1];
    const statements = role?.Properties.Policies.flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: readonly object[] } }) => PolicyDocument.Statement,
    );
    const onQueue = (construct: string) => ({
      'Fn::GetAtt': [expect.stringMatching(`^${construct}[0-9A-F]{8}$`), 'Arn'],
    });

    expect(statements).toEqual([
      {
        Effect: 'Allow',
        Action: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
        Resource: onQueue('OutboxQueuesQueue'),
      },
      {
        Effect: 'Allow',
        Action: [
          'sqs:ChangeMessageVisibility',
          'sqs:DeleteMessage',
          'sqs:GetQueueAttributes',
          'sqs:ReceiveMessage',
          'sqs:SendMessage',
        ],
        Resource: onQueue('DeliveriesQueuesQueue'),
      },
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: { Ref: expect.stringMatching(/^SigningSecret/) },
      },
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: { 'Fn::GetAtt': [expect.stringMatching(/^DeliveriesDeliverLogs/), 'Arn'] },
      },
    ]);
  });
});

describe('the deliveries queue', () => {
  it.each([false, true])(
    'is of the kind of the outbox queue, encrypted and kept 14 days, outboxFifo %j',
    (outboxFifo) => {
      const built = withTargets(BILLING, { outboxFifo }).template;

      for (const construct of ['DeliveriesQueuesQueue', 'DeliveriesQueuesDeadLetters']) {
        const { Properties } = queue(built, construct);
        expect(Properties).toMatchObject({ MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true });
        expect(Properties.FifoQueue).toBe(outboxFifo ? true : undefined);
      }
    },
  );

  it('gives to its own DLQ, which takes from nowhere else', () => {
    const { RedrivePolicy, QueueName } = queue(template, 'DeliveriesQueuesQueue').Properties;
    const { RedriveAllowPolicy } = queue(template, 'DeliveriesQueuesDeadLetters').Properties;

    expect(RedrivePolicy.deadLetterTargetArn).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^DeliveriesQueuesDeadLetters/), 'Arn'],
    });
    expect(RedriveAllowPolicy.redrivePermission).toBe('byQueue');
    expect(JSON.stringify(RedriveAllowPolicy.sourceQueueArns)).toContain('-deliveries-');
    expect(JSON.stringify(QueueName)).toContain('-deliveries-');
  });

  it('gives a message up after about a day, and with half of its 14 days left whatever the target asks for', () => {
    const { RedrivePolicy, MessageRetentionPeriod } = queue(template, 'DeliveriesQueuesQueue').Properties;
    const attempts = Array.from({ length: RedrivePolicy.maxReceiveCount }, (_, n) => n + 1);
    const total = (asked: number | undefined, random: number) =>
      attempts.reduce(
        (sum, attempt) => sum + waitBeforeNext(attempt, asked === undefined ? undefined : milliseconds(asked), random),
        0,
      );

    expect(total(undefined, 0.5) / DAY_MS).toBeCloseTo(1, 1);
    expect(total(365 * DAY_MS, 1)).toBeLessThan((MessageRetentionPeriod * 1000) / 2);
  });

  it('rings when something is in its DLQ', () => {
    const alarm = Object.values(resourcesOfType(template, 'AWS::CloudWatch::Alarm')).find(({ Properties }) =>
      Properties.AlarmDescription.startsWith('DeliveriesDlq. Severity: high.'),
    );

    expect(alarm?.Properties).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
      Dimensions: [
        {
          Name: 'QueueName',
          Value: { 'Fn::GetAtt': [expect.stringMatching(/^DeliveriesQueuesDeadLetters/), 'QueueName'] },
        },
      ],
    });
  });
});

describe('the setting deliverTo', () => {
  const problemsOf = (deliverTo: unknown): readonly string[] => {
    try {
      readSettings({ deliverTo }, someSources({ patient: aPreset() }));
      return [];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.message.split('\n');
    }
  };

  it('is refused with every problem of every target', () => {
    const deliverTo = {
      billing: { url: 'http://billing.example.com' },
      mail: { url: 'https://10.0.0.1', timeoutSeconds: 31 },
    };

    expect(problemsOf(deliverTo)).toEqual([
      'deliverTo: the target "billing" needs url to begin with https:',
      'deliverTo: the target "mail" has a url to this machine or to a private or reserved network',
      'deliverTo: the target "mail" needs timeoutSeconds to be a whole number from 1 to 30',
    ]);
  });

  it.each(['https://billing.example.com', '{"billing": ', '[]', '"x"', [], 7, true, null])(
    'is refused, and not repeated, when it is no object: %j',
    (deliverTo) => {
      const [problem = '', ...others] = problemsOf(deliverTo);

      expect(problem).toMatch(/^deliverTo: must be an object by target, /);
      expect(problem).not.toContain('billing');
      expect(others).toEqual([]);
    },
  );

  it.each([
    [3072, 0],
    [3073, 1],
  ])("has to fit the function's environment: %d bytes", (bytes, problems) => {
    const url = 'https://example.com/';
    const base = Buffer.byteLength(JSON.stringify({ billing: { url } }));

    expect(problemsOf({ billing: { url: url + 'a'.repeat(bytes - base) } })).toHaveLength(problems);
  });
});
