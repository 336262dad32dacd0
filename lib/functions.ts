import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENV } from '../lambda/contract.ts';
import { acknowledgeObjects } from './bodies.ts';
import { eventEnvironment } from './environment.ts';
import type { EventsQueues } from './events-queues.ts';
import { FunctionWithRole } from './function-with-role.ts';
import { receiveGrants } from './grants.ts';
import type { Settings } from './settings.ts';
import type { SigningSecret } from './signing-secret.ts';
import type { Storage } from './storage.ts';

export interface ReceiveFunctionProps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly queues: EventsQueues;
  readonly secret: SigningSecret;
  /** The folder that has one folder a function, each with its bundle. */
  readonly bundles: string;
}

/** The function behind the webhook URLs. */
export class ReceiveFunction extends FunctionWithRole {
  constructor(scope: Construct, id: string, props: ReceiveFunctionProps) {
    const { settings, storage, queues, secret, bundles } = props;
    super(scope, id, {
      settings,
      bundles,
      bundle: 'receive',
      description: 'Oncehook: verifies a webhook and applies each of its events once',
      timeout: Duration.seconds(settings.receiveTimeoutSeconds),
      memoryMb: settings.receiveMemoryMb,
      reservedConcurrency: settings.receiveReservedConcurrency,
      environment: {
        ...eventEnvironment(settings, storage, queues),
        [ENV.signingSecretId]: secret.arn,
        [ENV.maxBodyBytes]: String(settings.maxBodyBytes),
        [ENV.joinMs]: String(settings.joinMs),
      },
      grants: receiveGrants(storage, secret, queues),
    });
    acknowledgeObjects(this.role, queues.bodies);
  }
}
