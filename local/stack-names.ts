import { ENV, userTableVariable } from '../lambda/contract.ts';
import type { StackSpec } from './template/stack-spec.ts';

/** How the stack's own parts are called, read from what its functions are told. */
export interface StackNames {
  /** Names of the tables by `inbox`, `outbox`, `sequences` and the keys of the user's tables. */
  readonly tables: Readonly<Record<string, string>>;
  /** Names of the queues `outbox` and `outboxDlq`. */
  readonly queues: Readonly<Record<string, string>>;
  /** ARN of the secret with every source's signing secrets. */
  readonly signingSecretId: string | undefined;
}

const OWN_TABLES: Readonly<Record<string, string>> = {
  [ENV.inboxTable]: 'inbox',
  [ENV.outboxTable]: 'outbox',
  [ENV.sequencesTable]: 'sequences',
};

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
  const outbox = spec.queues.find(({ url }) => url === environment[ENV.outboxQueueUrl]);
  const outboxDlq = spec.queues.find(({ arn }) => arn === outbox?.deadLetterArn);
  return {
    tables: Object.fromEntries(tables),
    queues: { ...(outbox && { outbox: outbox.name }), ...(outboxDlq && { outboxDlq: outboxDlq.name }) },
    signingSecretId: environment[ENV.signingSecretId],
  };
}
