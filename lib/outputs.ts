import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { WEBHOOK_ROUTE } from '../lambda/contract.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { EventsQueues } from './events-queues.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import { Refusal } from './refusal.ts';
import type { SigningSecret } from './signing-secret.ts';
import type { Storage } from './storage.ts';

export interface OutputsProps {
  readonly sources: readonly string[];
  readonly apiUrl: string;
  /** Absent in a stack without a domain of yours. */
  readonly domainTarget: string | undefined;
  readonly storage: Storage;
  readonly secret: SigningSecret;
  readonly eventsQueues: EventsQueues;
  readonly outboxQueues: OutboxQueues;
  /** Absent in a stack without the deliverer. */
  readonly deliveryQueues: DeliveryQueues | undefined;
  readonly dashboardUrl: string;
  /** Absent in a stack whose alarms tell nobody. */
  readonly alarmTopicArn: string | undefined;
  readonly operatorPolicyArn: string;
}

/**
 * What a person, the command line and the local stack need to know of a stack. Their logical ids are
 * a contract: scripts read them.
 *
 * @throws Refusal when the names of two sources, or of two tables, would be one output.
 */
export function addOutputs(stack: Stack, props: OutputsProps): void {
  const { storage, eventsQueues, outboxQueues, deliveryQueues } = props;
  const taken = new Set<string>();
  const add = (id: string, value: string, description: string) => {
    if (taken.has(id)) throw new Refusal([`two names become the one output ${id}; change one of them`]);
    taken.add(id);
    new CfnOutput(stack, id, { value, description });
  };

  add('ApiUrl', props.apiUrl, 'The HTTP API');
  if (props.domainTarget !== undefined) {
    add('DomainTarget', props.domainTarget, 'Where DNS has to lead your domain: a CNAME, or an alias record');
  }
  for (const source of props.sources) {
    const path = WEBHOOK_ROUTE.replace('{source}', source);
    add(`WebhookUrl${pascalCase(source)}`, `${props.apiUrl}${path}`, `Paste it at the provider of ${source}`);
  }
  add(
    'SigningSecretName',
    props.secret.arn,
    'Id of the secret with every signing secret: its ARN, which stands for its name everywhere',
  );
  add('InboxTableName', storage.inbox.tableName, 'What was applied');
  add('OutboxTableName', storage.outbox.tableName, 'Messages that are owed');
  add('SequencesTableName', storage.sequences.tableName, 'The last sequence applied, by resource');
  for (const { key, table } of storage.userTables) {
    add(`TableName${key.charAt(0).toUpperCase()}${key.slice(1)}`, table.tableName, `Your table ${key}`);
  }
  add('EventsQueueUrl', eventsQueues.events.queueUrl, 'Events that wait for their next attempt');
  add('EventsDlqUrl', eventsQueues.deadLetters.queueUrl, 'Events that were given up, with their raw bytes');
  add('BodiesBucketName', eventsQueues.bodies.bucketName, 'Bodies that are too large for a message');
  add('OutboxQueueUrl', outboxQueues.outbox.queueUrl, 'Messages for your consumers');
  add('OutboxDlqUrl', outboxQueues.deadLetters.queueUrl, 'Messages that a consumer gave up or received too often');
  if (deliveryQueues !== undefined) {
    add('DeliveriesQueueUrl', deliveryQueues.deliveries.queueUrl, 'Messages that wait for their target');
    add('DeliveriesDlqUrl', deliveryQueues.deadLetters.queueUrl, 'Messages that their target did not take in a day');
  }
  add('DashboardUrl', props.dashboardUrl, 'Dedup hits and the rest');
  if (props.alarmTopicArn !== undefined)
    add('AlarmTopicArn', props.alarmTopicArn, 'Where the alarms tell that they ring');
  add(
    'OperatorPolicyArn',
    props.operatorPolicyArn,
    'Attach it to who runs `oncehook --stack`: what that needs, and no more',
  );
}

/** `github-test` → `GithubTest`: an output's id is letters and digits only. */
const pascalCase = (source: string): string =>
  source
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
