import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Declarations } from './declarations.ts';
import { ReceiveFunction } from './functions.ts';
import { Ingress } from './ingress.ts';
import { Observability } from './observability.ts';
import { Outbox } from './outbox.ts';
import { addOutputs } from './outputs.ts';
import { warnOfLostFailures } from './redelivery.ts';
import type { Settings } from './settings.ts';
import { SigningSecret } from './signing-secret.ts';
import { Storage } from './storage.ts';

export interface ReceiverStackProps {
  readonly settings: Settings;
  readonly declarations: Declarations;
  /** The folder that has one folder a function, each with its bundle: `dist`. */
  readonly bundles: string;
}

/** Everything of one stage: composed here, defined in the constructs. */
export class ReceiverStack extends Stack {
  constructor(scope: Construct, id: string, props: ReceiverStackProps) {
    const { settings, declarations, bundles } = props;
    super(scope, id, {
      description: 'Oncehook webhook receiver',
      // Without the metadata resource the template is a function of this repository alone.
      analyticsReporting: false,
      ...regionOf(settings),
    });
    const sources = [...declarations.sources.keys()];

    const storage = new Storage(this, 'Storage', { settings, tables: declarations.tables });
    const secret = new SigningSecret(this, 'SigningSecret', { settings });
    const receive = new ReceiveFunction(this, 'Receive', { settings, storage, secret, bundles });
    const outbox = settings.dispatchOutbox ? new Outbox(this, 'Outbox', { settings, storage, bundles }) : undefined;
    const ingress = new Ingress(this, 'Ingress', { settings, receive: receive.lambda });
    const observability = new Observability(this, 'Observability', { sources, receiveLogs: receive.logGroup, outbox });

    addOutputs(this, {
      sources,
      apiUrl: ingress.url,
      storage,
      secret,
      queues: outbox?.queues,
      dashboardUrl: observability.dashboardUrl,
    });
    warnOfLostFailures(this, declarations.sources);
  }
}

/** A table's key is in the table's Region, and CDK wants to know it; else the deploy decides. */
function regionOf({ customerKeyArn }: Settings): { readonly env?: { readonly region: string | undefined } } {
  if (customerKeyArn === undefined) return {};
  return { env: { region: Arn.split(customerKeyArn, ArnFormat.SLASH_RESOURCE_NAME).region } };
}
