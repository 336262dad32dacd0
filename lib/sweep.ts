import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { ENV } from '../lambda/contract.ts';
import { FunctionWithRole } from './function-with-role.ts';
import { sweepGrants } from './grants.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

const EVERY = Duration.minutes(1);

/** Less than a minute, so that a run has ended before the next one begins. */
const TIMEOUT = Duration.seconds(50);

/** A run holds one page of the table, 1 MB, and the messages made of it. */
const MEMORY_MB = 512;

/**
 * A run that could not begin is not made up for: the next one does its work. The shortest there is.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html
 */
const MAX_EVENT_AGE = Duration.seconds(60);

export interface SweepFunctionProps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly queues: OutboxQueues;
  readonly bundles: string;
}

/**
 * The function that sends what the stream did not, once a minute. It has no reserved concurrency, which a new
 * account's quota would not allow: two runs at once send a message twice at worst.
 */
export class SweepFunction extends FunctionWithRole {
  constructor(scope: Construct, id: string, props: SweepFunctionProps) {
    const { settings, storage, queues, bundles } = props;
    super(scope, id, {
      settings,
      bundles,
      bundle: 'sweep',
      description: 'Oncehook: sends messages of the outbox that are overdue',
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {
        [ENV.outboxTable]: storage.outbox.tableName,
        [ENV.outboxQueueUrl]: queues.outbox.queueUrl,
        [ENV.outboxFifo]: String(settings.outboxFifo),
        [ENV.sweepAfterSeconds]: String(settings.sweepAfterSeconds),
      },
      grants: sweepGrants(storage, queues),
    });

    // Once for Lambda, which tries a run again that failed, and once for EventBridge, which tries to hand it over.
    this.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: MAX_EVENT_AGE });
    const retryPolicy = { maximumRetryAttempts: 0, maximumEventAgeInSeconds: MAX_EVENT_AGE.toSeconds() };
    const rule = new Rule(this, 'EveryMinute', {
      description: 'Oncehook: sweeps the outbox',
      schedule: Schedule.rate(EVERY),
      // CDK's own target names its permission after the stage, so that no two stages have the same resources.
      targets: [{ bind: () => ({ arn: this.lambda.functionArn, retryPolicy }) }],
    });
    this.lambda.addPermission('EveryMinute', {
      principal: new ServicePrincipal('events.amazonaws.com'),
      sourceArn: rule.ruleArn,
    });
  }
}
