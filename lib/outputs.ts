import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { WEBHOOK_ROUTE } from '../lambda/contract.ts';
import type { OutboxQueues } from './outbox-queues.ts';
import { Refusal } from './refusal.ts';
import type { SigningSecret } from './signing-secret.ts';
import type { Storage } from './storage.ts';

export interface OutputsProps {
  readonly sources: readonly string[];
  readonly apiUrl: string;
  readonly storage: Storage;
  readonly secret: SigningSecret;
  /** `undefined` where messages are not sent. */
  readonly queues: OutboxQueues | undefined;
  readonly dashboardUrl: string;
}

/**
 * What a person, the command line and the local stack need to know of a stack. Their logical ids are
 * a contract: scripts read them.
 *
 * @throws Refusal when the names of two sources, or of two tables, would be one output.
 */
export function addOutputs(stack: Stack, props: OutputsProps): void {
  const { storage, queues } = props;
  const taken = new Set<string>();
  const add = (id: string, value: string, description: string) => {
    if (taken.has(id)) throw new Refusal([`two names become the one output ${id}; change one of them`]);
    taken.add(id);
    new CfnOutput(stack, id, { value, description });
  };

  add('ApiUrl', props.apiUrl, 'The HTTP API');
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
  if (queues !== undefined) {
    add('OutboxQueueUrl', queues.outbox.queueUrl, 'Messages for your consumers');
    add('OutboxDlqUrl', queues.deadLetters.queueUrl, 'Messages that a consumer received too often');
  }
  add('DashboardUrl', props.dashboardUrl, 'Dedup hits and the rest');
}

/** `github-test` → `GithubTest`: an output's id is letters and digits only. */
const pascalCase = (source: string): string =>
  source
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
