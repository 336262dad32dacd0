import { ENV, userTableVariable } from '../lambda/contract.ts';
import type { StackSpec } from './template/stack-spec.ts';

/** How the stack's own parts are called, read from what its functions are told and from its outputs. */
export interface StackNames {
  /** Names of the tables by `inbox`, `outbox`, `sequences` and the keys of the user's tables. */
  readonly tables: Readonly<Record<string, string>>;
  /** Names of the queues by their outputs: `outbox` of `OutboxQueueUrl`, `outboxDlq` of `OutboxDlqUrl`. */
  readonly queues: Readonly<Record<string, string>>;
  /** Names of the buckets by their outputs: `bodies` of `BodiesBucketName`. */
  readonly buckets: Readonly<Record<string, string>>;
  /** ARN of the secret with every source's signing secrets. */
  readonly signingSecretId: string | undefined;
}

const OWN_TABLES: Readonly<Record<string, string>> = {
  [ENV.inboxTable]: 'inbox',
  [ENV.outboxTable]: 'outbox',
  [ENV.sequencesTable]: 'sequences',
};

/** Output ids and what is left out of them in a key. */
const QUEUE_OUTPUT = /^(?<key>[A-Z][A-Za-z0-9]*?)(?:QueueUrl|(?<dlq>Dlq)Url)$/;
const BUCKET_OUTPUT = /^(?<key>[A-Z][A-Za-z0-9]*)BucketName$/;

export function readStackNames(spec: StackSpec): StackNames {
  const environment = Object.assign({}, ...spec.functions.map((each) => each.environment));
  const variables = Object.entries<string>(environment);
  const userTablePrefix = userTableVariable('');
  const tables = variables.flatMap(([variable, name]) => {
    const key =
      OWN_TABLES[variable] ??
      (variable.startsWith(userTablePrefix) ? variable.slice(userTablePrefix.length) : undefined);
    return key === undefined ? [] : [[key, name] as const];
  });
  return {
    tables: Object.fromEntries(tables),
    queues: namesByOutput(spec, QUEUE_OUTPUT, (value) => spec.queues.find(({ url }) => url === value)?.name),
    buckets: namesByOutput(spec, BUCKET_OUTPUT, (value) => spec.buckets.find(({ name }) => name === value)?.name),
    signingSecretId: environment[ENV.signingSecretId],
  };
}

function namesByOutput(
  { outputs }: StackSpec,
  form: RegExp,
  nameOf: (value: string) => string | undefined,
): Readonly<Record<string, string>> {
  const names = outputs.flatMap(({ id, value }) => {
    const parts = form.exec(id)?.groups;
    const name = nameOf(value);
    if (parts === undefined || name === undefined) return [];
    const { key = '', dlq = '' } = parts;
    return [[`${key.charAt(0).toLowerCase()}${key.slice(1)}${dlq}`, name] as const];
  });
  return Object.fromEntries(names);
}
