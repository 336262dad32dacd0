import { join } from 'node:path';
import { type Duration, Validations } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BUNDLE_HANDLER, type FunctionName } from './bundles.ts';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

export interface FunctionWithRoleProps {
  readonly settings: Settings;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
  readonly bundle: FunctionName;
  readonly description: string;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /** Invocations at once that are kept for it alone, and are the most it has. @default none, and no limit of its own */
  readonly reservedConcurrency?: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** What it may do, but for writing its own log. */
  readonly grants: readonly PolicyStatement[];
}

/** One of our functions, with a role and a log group that are its own. */
export class FunctionWithRole extends Construct {
  /** That of its bundle. */
  readonly name: FunctionName;
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: FunctionWithRoleProps) {
    super(scope, id);
    const { settings, reservedConcurrency } = props;
    this.name = props.bundle;

    this.logGroup = new LogGroup(this, 'Logs', {
      retention: settings.logRetentionDays,
      removalPolicy: durabilityOf(settings.stage).removalPolicy,
    });

    // Written out here: the managed policy for Lambda's logs allows every log group of the account.
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        [id]: new PolicyDocument({
          statements: [
            ...props.grants,
            new PolicyStatement({
              effect: Effect.ALLOW,
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [this.logGroup.logGroupArn],
            }),
          ],
        }),
      },
    });

    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(props.bundles, props.bundle)),
      handler: BUNDLE_HANDLER,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      environment: { ...props.environment },
      role: this.role,
      logGroup: this.logGroup,
      // What our own lines are, so that one query reads them and the runtime's.
      loggingFormat: LoggingFormat.JSON,
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      ...(settings.tracing ? { tracing: Tracing.ACTIVE } : {}),
    });
    if (settings.tracing) {
      Validations.of(this.role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'X-Ray has no resources to name: a role may send traces, or it may not.',
      });
    }
  }
}
