import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV, userTableVariable } from '../lambda/contract.ts';
import { FunctionWithRole } from './function-with-role.ts';
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

/** The function behind the webhook URLs. */
export class ReceiveFunction extends FunctionWithRole {
  constructor(scope: Construct, id: string, props: ReceiveFunctionProps) {
    const { settings, storage, secret, bundles } = props;
    super(scope, id, {
      settings,
      bundles,
      bundle: 'receive',
      description: 'Oncehook: verifies a webhook and applies each of its events once',
      timeout: Duration.seconds(settings.receiveTimeoutSeconds),
      memoryMb: settings.receiveMemoryMb,
      environment: receiveEnvironment(settings, storage, secret),
      grants: receiveGrants(storage, secret),
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
