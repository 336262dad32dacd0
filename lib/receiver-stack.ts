import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AlarmTopic } from './alarm-topic.ts';
import { ConsumeFunction } from './consume.ts';
import type { Declarations } from './declarations.ts';
import { Deliveries } from './deliveries.ts';
import { regionOfSettings } from './domain-settings.ts';
import { ReceiveFunction } from './functions.ts';
import { Ingress } from './ingress.ts';
import { Observability } from './observability.ts';
import { OperatorPolicy } from './operator-policy.ts';
import { Outbox } from './outbox.ts';
import { addOutputs } from './outputs.ts';
import { Refusal } from './refusal.ts';
import { Retries } from './retries.ts';
import type { Settings } from './settings.ts';
import { SigningSecret } from './signing-secret.ts';
import { warnOfSources } from './source-warnings.ts';
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
    const { deliverTo } = settings;
    if (deliverTo !== undefined && declarations.consumer) throw new Refusal([TWO_CONSUMERS]);
    super(scope, id, {
      description: 'Oncehook webhook receiver',
      // Without the metadata resource the template is a function of this repository alone.
      analyticsReporting: false,
      ...regionOf(settings),
    });
    const sources = [...declarations.sources.keys()];

    const storage = new Storage(this, 'Storage', { settings, tables: declarations.tables });
    const secret = new SigningSecret(this, 'SigningSecret', { settings });
    const retries = new Retries(this, 'Retries', { settings, storage, bundles });
    const receive = new ReceiveFunction(this, 'Receive', {
      settings,
      storage,
      queues: retries.queues,
      secret,
      bundles,
    });
    const outbox = new Outbox(this, 'Outbox', { settings, storage, bundles });
    const consume = declarations.consumer
      ? new ConsumeFunction(this, 'Consume', { settings, storage, queues: outbox.queues, bundles })
      : undefined;
    const deliveries =
      deliverTo === undefined
        ? undefined
        : new Deliveries(this, 'Deliveries', { settings, deliverTo, outbox: outbox.queues, secret, bundles });
    const ingress = new Ingress(this, 'Ingress', { settings, receive: receive.lambda });
    const alarms =
      settings.alarmEmail === undefined
        ? undefined
        : new AlarmTopic(this, 'Alarms', { stage: settings.stage, email: settings.alarmEmail });
    const observability = new Observability(this, 'Observability', {
      sources,
      api: ingress.api,
      receive,
      retries,
      outbox,
      consume,
      deliver: deliveries?.deliver,
      deliveries: deliveries?.queues,
      alarmTopic: alarms?.topic,
    });
    const operator = new OperatorPolicy(this, 'Operator', {
      storage,
      secret,
      eventsQueues: retries.queues,
      outboxQueues: outbox.queues,
      deliveryQueues: deliveries?.queues,
      work: retries.work.lambda,
    });

    addOutputs(this, {
      sources,
      apiUrl: ingress.url,
      domainTarget: ingress.domainTarget,
      storage,
      secret,
      eventsQueues: retries.queues,
      outboxQueues: outbox.queues,
      deliveryQueues: deliveries?.queues,
      dashboardUrl: observability.dashboardUrl,
      alarmTopicArn: alarms?.topic.topicArn,
      operatorPolicyArn: operator.arn,
    });
    warnOfSources(this, declarations.sources, settings.stage);
  }
}

const TWO_CONSUMERS =
  'deliverTo and lambda/handlers/consumer.ts both want the messages of the outbox queue, and each message goes to one ' +
  'of them: export `consumer` as undefined, or leave deliverTo out';

/** A table's key and a domain's certificate are in the stack's Region, and CDK wants to know it; else the deploy decides. */
function regionOf(settings: Settings): { readonly env?: { readonly region: string } } {
  const region = regionOfSettings(settings);
  return region === undefined ? {} : { env: { region } };
}
