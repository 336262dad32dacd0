import type { Envelope } from '../../lambda/core/envelope.ts';
import { encodeEnvelope } from '../../lambda/core/envelope-codec.ts';
import { epochMs } from '../../lambda/core/time.ts';
import { covers, grantsOf } from '../../local/iam/grants.ts';
import { aws, deliver, ofShop, operatorPolicy, owe, owedAttributes, put } from './operator-scene.ts';

interface Verb {
  readonly args: readonly string[];
  readonly stdin?: string;
  /** With all permissions. @default 0 */
  readonly code?: number;
}

export const aSecret = (n: number): string => `whsec_${Buffer.alloc(24, n).toString('base64')}`;

/** One of every verb, those that change nothing first. `n` sets apart what each round works on. */
export const verbs = (n: number): readonly Verb[] => [
  { args: ['inbox', 'show', 'shop', `msg_done_${n}`] },
  { args: ['inbox', 'list'] },
  { args: ['inbox', 'list', '--all', '--yes'] },
  { args: ['outbox', 'pending'] },
  { args: ['dlq', 'list'] },
  { args: ['dlq', 'list', '--queue', 'outbox'] },
  // Its body is not there any more, which only somebody who may list the bucket is told.
  { args: ['dlq', 'show', `msg_gone_${n}`, '--body'], code: 1 },
  { args: ['stats', '--last', '1h'] },
  { args: ['secret', 'show', 'counted'] },
  { args: ['doctor', '--no-probes'] },
  { args: ['inbox', 'clear', 'shop', `msg_done_${n}`, '--reason', 'a test', '--yes'] },
  { args: ['outbox', 'redrive', '--id', `shop#msg_stuck_${n}#1`] },
  { args: ['dlq', 'discard', '--id', `msg_drop_${n}`, '--reason', 'a test', '--yes'] },
  { args: ['dlq', 'discard', '--queue', 'outbox', '--id', `shop#msg_drop_${n}#1`, '--reason', 'a test', '--yes'] },
  { args: ['dlq', 'redrive', '--id', `msg_dead_${n}`] },
  { args: ['dlq', 'redrive', '--queue', 'outbox', '--id', `shop#msg_dead_${n}#1`] },
  { args: ['secret', 'add', 'counted'], stdin: aSecret(n) },
  { args: ['secret', 'drop', 'counted', '--index', '1'] },
];

/** What the verbs of a round work on. */
export async function prepare(n: number): Promise<void> {
  const envelope = (name: string, changes: Partial<Envelope> = {}): string =>
    encodeEnvelope({
      source: 'shop',
      eventId: `msg_${name}_${n}`,
      types: ['paid'],
      receivedAt: epochMs(Date.now()),
      occurredAt: undefined,
      contentEncoding: undefined,
      itemIndex: undefined,
      headers: {},
      body: { kind: 'inline', bytes: Buffer.from('{"data":{}}') },
      notBefore: undefined,
      postponedSince: undefined,
      force: false,
      parked: { reason: 'permanent', lastError: undefined },
      ...changes,
    });
  await deliver('shop', ofShop(`msg_done_${n}`, 'paid'));
  await owe(`shop#msg_stuck_${n}#1`, { state: 'stuck', attempts: 20 });
  for (const name of ['drop', 'dead']) {
    await put(aws.queues['eventsDlq'], envelope(name));
    await put(aws.queues['outboxDlq'], '{"account":"ada"}', owedAttributes(`shop#msg_${name}_${n}#1`));
  }
  await put(
    aws.queues['eventsDlq'],
    envelope('gone', { body: { kind: 'stored', bucket: aws.buckets['bodies'] ?? '', key: `gone_${n}` } }),
  );
}

/** The policy as one statement a grant, without some. */
export const policyWithout = (isLeftOut: (grant: Grant) => boolean): Readonly<Record<string, unknown>> => ({
  Version: '2012-10-17',
  Statement: grants()
    .filter((grant) => !isLeftOut(grant))
    .map(({ action, resource }) => ({ Effect: 'Allow', Action: action, Resource: resource })),
});

export type Grant = ReturnType<typeof grants>[number];

export const grants = () =>
  grantsOf({
    functionKey: 'operator',
    functionName: '',
    roleName: '',
    logGroup: '',
    policies: [{ name: 'operator', document: operatorPolicy() }],
  });

export const isCovered = (grant: Grant, deed: { readonly action: string; readonly resource: string }): boolean =>
  covers(grant, { functionKey: 'operator', ...deed });
