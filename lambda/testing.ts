/**
 * For tests of your handlers and of your consumer: one attempt, without AWS.
 */
import { tableKeys } from './authoring/define-tables.ts';
import type { Consumer } from './authoring/once-consumer.ts';
import { messageRule } from './consume/message-rule.ts';
import { OUTBOX_SOURCE } from './consume/read-message.ts';
import { type AttributeValue, decodeItem, type Item } from './core/attribute-value.ts';
import type { EventRule, Handler, HandlerResult, JsonValue, TransactWriteItem } from './core/handler.ts';
import { bodyEventId, inboxEventId, inboxKey, sha256Hex } from './core/inbox-key.ts';
import type { StepRecord } from './core/inbox-row.ts';
import { parseJson, stringifyJson } from './core/json.ts';
import type { EventOrder } from './core/order.ts';
import type { Claim, EncodedWrite, Invocation } from './core/ports.ts';
import { epochMs, milliseconds, plus, toIso } from './core/time.ts';
import { tables } from './handlers/tables.ts';
import { handle } from './process/handle.ts';
import { createSteps } from './process/steps.ts';
import { createUnitOfWork } from './process/unit-of-work.ts';

/** The event to try; only the body is needed. */
export interface Sample<Body> {
  readonly body: Body;
  /** @default the hash of the body, as for a provider without ids */
  readonly id?: string;
  /** @default 'sample' */
  readonly type?: string;
  /** @default 'test' */
  readonly source?: string;
  /** Lower-case names. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default 2026-01-01T00:00:00Z */
  readonly receivedAt?: Date;
  readonly occurredAt?: Date;
}

export interface AttemptOptions {
  /** Counts from 1. @default 1, or 2 with `finishedSteps` */
  readonly attempt?: number;
  /** Results of steps that an earlier attempt finished. @default none */
  readonly finishedSteps?: Readonly<Record<string, unknown>>;
  /** `work.signal`. @default one that never aborts */
  readonly signal?: AbortSignal;
}

/** A message that the handler asked for. */
export interface EmittedMessage {
  readonly topic: string;
  /** As a consumer reads it; whole numbers beyond 2^53 are `bigint`. */
  readonly payload: unknown;
  readonly group: string | undefined;
}

/** What one attempt came to. Only with `committed` would anything of it be written. */
export interface Attempt {
  /** How it would end: committed, tried again, tried again later, or given up. */
  readonly outcome: 'committed' | 'failed' | 'retry-later' | 'permanent';
  /** What was thrown, unless committed. */
  readonly error: unknown;
  readonly writes: readonly TransactWriteItem[];
  readonly messages: readonly EmittedMessage[];
  /** Steps that ran in this attempt, with their results; those in `finishedSteps` did not run. */
  readonly steps: Readonly<Record<string, unknown>>;
  readonly result: HandlerResult | undefined;
  /** The event's place, where its rule has an order. */
  readonly order: EventOrder | undefined;
}

/**
 * Runs one handler, or one rule with its schema and order, as the receiver would, and returns what
 * it asked for. Limits and mistakes show up as they would in production.
 *
 * @example
 * const attempted = await attempt(creditInvoice, { body: invoice });
 * expect(attempted.messages).toEqual([{ topic: 'receipt.requested', payload: { … }, group: undefined }]);
 */
export async function attempt<Body>(
  handler: Handler<Body> | EventRule<Body>,
  sample: Sample<Body>,
  options: AttemptOptions = {},
): Promise<Attempt> {
  const rule: EventRule<Body> = typeof handler === 'function' ? { handle: handler } : handler;
  const claim = claimFor(sample, options);
  const ran: Record<string, unknown> = {};
  const steps = createSteps(
    {
      inbox: {
        async recordStep(_claim, name, step) {
          ran[name] = 'M' in step ? decodeItem(step.M)['value'] : undefined;
          return 'written';
        },
      },
      clock: { now: () => claim.receivedAt },
      telemetry: { warn: () => {} },
      retry: (write) => write(),
    },
    claim,
  );
  const invocation: Invocation = {
    endsAt: plus(claim.receivedAt, milliseconds(10_000)),
    signal: options.signal ?? new AbortController().signal,
  };
  const unit = createUnitOfWork(claim, invocation, steps, {
    reservedTables: [],
    keysOf: tableKeys(tables),
    ownItems: rule.order === undefined ? 1 : 2,
  });

  const handled = await handle(rule, claim, unit);
  return {
    outcome: handled.kind === 'done' ? 'committed' : handled.kind,
    error: handled.kind === 'done' ? undefined : handled.error,
    writes: unit.writes.map(decodeWrite),
    messages: unit.messages.map(({ topic, payload, group }) => ({ topic, payload: parseJson(payload), group })),
    steps: ran,
    result: handled.kind === 'done' ? decodeResult(handled.result) : undefined,
    order: handled.kind === 'done' ? handled.order : undefined,
  };
}

/** The outbox message to try; only the payload is needed. */
export interface MessageSample<Payload> {
  readonly payload: Payload;
  /** @default 'test#sample#1' */
  readonly id?: string;
  /** @default 'sample' */
  readonly topic?: string;
  readonly group?: string;
}

/**
 * {@link attempt} for the consumer of the outbox queue.
 *
 * @example
 * const attempted = await attemptMessage(consumer, { payload: { account: 'acct-1' } });
 */
export const attemptMessage = <Payload>(
  consumer: Consumer<Payload>,
  { payload, id = 'test#sample#1', topic = 'sample', group }: MessageSample<Payload>,
  options: AttemptOptions = {},
): Promise<Attempt> =>
  attempt(
    messageRule(consumer.handle, { id, topic, group }),
    { body: payload, id, type: topic, source: OUTBOX_SOURCE },
    options,
  );

/** A write as the handler wrote it; whole numbers beyond 2^53 are `bigint`. */
function decodeWrite({ operation, attributes, input }: EncodedWrite): TransactWriteItem {
  const { ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: _, ...rest } = input;
  const decoded = {
    ...rest,
    [operation === 'Put' ? 'Item' : 'Key']: decodeItem(attributes),
    ...(values === undefined ? {} : { ExpressionAttributeValues: decodeItem(values as Item) }),
  };
  return { [operation]: decoded };
}

const decodeResult = (result: AttributeValue | undefined): HandlerResult | undefined =>
  result !== undefined && 'M' in result ? decodeItem(result.M) : undefined;

const DEFAULT_RECEIPT = new Date('2026-01-01T00:00:00Z');

function claimFor(sample: Sample<unknown>, options: AttemptOptions): Claim {
  const { source = 'test', type = 'sample', headers = {}, occurredAt, receivedAt = DEFAULT_RECEIPT } = sample;
  const rawBody = Buffer.from(stringifyJson(sample.body as JsonValue));
  const bodyHash = sha256Hex(rawBody);
  const eventId = sample.id === undefined ? bodyEventId(bodyHash) : inboxEventId(sample.id);
  const finishedAt = toIso(epochMs(receivedAt.getTime()));
  const finished = Object.entries(options.finishedSteps ?? {}).map(([name, value]): readonly [string, StepRecord] => [
    name,
    value === undefined ? { finishedAt } : { value, finishedAt },
  ]);
  return {
    token: 'test',
    attempts: options.attempt ?? (finished.length > 0 ? 2 : 1),
    failures: 0,
    receivedAt: epochMs(receivedAt.getTime()),
    steps: Object.fromEntries(finished),
    event: {
      source,
      eventId,
      key: inboxKey(source, eventId),
      types: [type],
      body: sample.body,
      rawBody,
      bodyHash,
      contentEncoding: undefined,
      itemIndex: undefined,
      headers,
      receivedAt: epochMs(receivedAt.getTime()),
      occurredAt: occurredAt === undefined ? undefined : epochMs(occurredAt.getTime()),
    },
  };
}
