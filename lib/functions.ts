import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ENV, userTableVariable } from '../lambda/contract.ts';
import { BUNDLE_HANDLER, type FunctionName } from './bundles.ts';
import { durabilityOf } from './durability.ts';
import { receiveGrants } from './grants.ts';
import type { Settings } from './settings.ts';
import type { SigningSecret } from './signing-secret.ts';
import type { Storage } from './storage.ts';

const SECONDS_PER_DAY = 86_400;

export interface ReceiveFunctionProps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly secret: SigningSecret;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The function behind the webhook URLs, with a role and a log group that are its own. */
export class ReceiveFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ReceiveFunctionProps) {
    super(scope, id);
    const { settings, storage, secret } = props;

    this.logGroup = new LogGroup(this, 'Logs', {
      retention: settings.logRetentionDays,
      removalPolicy: durabilityOf(settings.stage).removalPolicy,
    });

    // Written out here: the managed policy for Lambda's logs allows every log group of the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Receive: new PolicyDocument({
          statements: [
            ...receiveGrants(storage, secret),
            new PolicyStatement({
              effect: Effect.ALLOW,
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [this.logGroup.logGroupArn],
            }),
          ],
        }),
      },
    });

    const bundle: FunctionName = 'receive';
    this.lambda = new LambdaFunction(this, 'Function', {
      description: 'Oncehook: verifies a webhook and applies each of its events once',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(props.bundles, bundle)),
      handler: BUNDLE_HANDLER,
      timeout: Duration.seconds(settings.receiveTimeoutSeconds),
      memorySize: settings.receiveMemoryMb,
      environment: receiveEnvironment(settings, storage, secret),
      role,
      logGroup: this.logGroup,
      // What our own lines are, so that one query reads them and the runtime's.
      loggingFormat: LoggingFormat.JSON,
    });
  }
}

function receiveEnvironment(settings: Settings, storage: Storage, secret: SigningSecret): Record<string, string> {
  const { dedupWindowDays } = settings;
  const ours = {
    [ENV.inboxTable]: storage.inbox.tableName,
    [ENV.outboxTable]: storage.outbox.tableName,
    [ENV.sequencesTable]: storage.sequences.tableName,
    [ENV.signingSecretId]: secret.arn,
    [ENV.dedupWindowSeconds]: dedupWindowDays === 'forever' ? 'forever' : String(dedupWindowDays * SECONDS_PER_DAY),
    [ENV.maxBodyBytes]: String(settings.maxBodyBytes),
    [ENV.joinMs]: String(settings.joinMs),
  };
  const yours = storage.userTables.map(({ key, table }) => [userTableVariable(key), table.tableName] as const);

  return { ...ours, ...Object.fromEntries(yours) };
}
