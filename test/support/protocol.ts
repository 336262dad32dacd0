import { createInboxStore } from '../../lambda/adapters/dynamodb/inbox-store.ts';
import type { DedupWindow } from '../../lambda/core/dedup-window.ts';
import type { InboundEvent } from '../../lambda/core/event.ts';
import type { EventRule, Handler } from '../../lambda/core/handler.ts';
import type { EventOutcome, FailureSummary, ParkReason } from '../../lambda/core/outcome.ts';
import type { AttemptMeasures, InboxStore, Invocation } from '../../lambda/core/ports.ts';
import { type DurationMs, days, type EpochMs, milliseconds, plus, seconds } from '../../lambda/core/time.ts';
import type { EventContext } from '../../lambda/process/event-context.ts';
import { createProcessEvent } from '../../lambda/process/process-event.ts';
import { type DynamoStage, TABLES } from './dynamodb-stage.ts';
import { anEvent } from './events.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export interface Warning {
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | undefined>>;
}

/** The whole protocol over one DynamoDB, with a clock and chances that the test sets. */
export interface Protocol {
  readonly stage: DynamoStage;
  readonly store: InboxStore;
  readonly clock: ManualClock;
  readonly warnings: readonly Warning[];
  readonly parked: readonly ParkedEvent[];
  /** What each attempt took. */
  readonly measures: readonly AttemptMeasures[];
  process(
    event: InboundEvent,
    rule: EventRule<never> | Handler<never> | undefined,
    options?: ProcessOptions,
  ): Promise<EventOutcome>;
}

export interface ProcessOptions {
  /** Milliseconds the invocation still has. @default 10,000 */
  readonly remainingMs?: number;
  readonly deadline?: DurationMs;
  readonly signal?: AbortSignal;
  readonly olderThanWindow?: EventContext['olderThanWindow'];
  readonly postponedSince?: EpochMs;
  readonly sentAt?: EpochMs;
  /** Where a copy is queued. @default nowhere: the sender brings it again */
  readonly queue?: EventContext['queue'];
  /** @default keeps it in {@link Protocol.parked} */
  readonly park?: EventContext['park'];
}

export interface ParkedEvent {
  readonly event: InboundEvent;
  readonly reason: ParkReason;
  readonly error: FailureSummary | undefined;
}

export interface ProtocolOptions {
  readonly window?: DedupWindow;
  readonly joinMs?: number;
  readonly clock?: ManualClock;
  readonly random?: () => number;
  readonly maxAttempts?: number;
}

let tokens = 0;

export function createProtocol(stage: DynamoStage, options: ProtocolOptions = {}): Protocol {
  const clock = options.clock ?? createManualClock();
  const store = createInboxStore(stage.client, TABLES);
  const warnings: Warning[] = [];
  const parked: ParkedEvent[] = [];
  const measures: AttemptMeasures[] = [];
  const processEvent = createProcessEvent({
    inbox: store,
    clock,
    chance: {
      token() {
        tokens += 1;
        return `00000000-0000-4000-8000-${String(tokens).padStart(12, '0')}`;
      },
      random: options.random ?? (() => 0.5),
    },
    telemetry: {
      warn: (message, fields) => void warnings.push({ message, fields }),
      attemptMeasured: (_source, measured) => void measures.push(measured),
    },
    window: options.window ?? days(14),
    joinMs: milliseconds(options.joinMs ?? 1500),
    maxAttempts: options.maxAttempts ?? 5,
    retryAfter: seconds(30),
    reservedTables: [TABLES.inbox, TABLES.outbox, TABLES.sequences],
    keysOf: (table) => (table === TABLES.accounts ? ['accountId'] : undefined),
  });
  return {
    stage,
    store,
    clock,
    warnings,
    parked,
    measures,
    process(event, rule, { remainingMs = 10_000, deadline, signal, ...wishes } = {}) {
      const invocation: Invocation = {
        endsAt: plus(clock.now(), remainingMs),
        signal: signal ?? new AbortController().signal,
      };
      const context: EventContext = {
        rule: typeof rule === 'function' ? { handle: rule } : rule,
        deadline,
        olderThanWindow: 'park',
        postponedSince: undefined,
        sentAt: undefined,
        queue: undefined,
        park: async (reason, error) => void parked.push({ event, reason, error }),
        ...wishes,
      };
      return processEvent(event, context, invocation);
    },
  };
}

/** A worker that has claimed the event and stands still in its handler, as a frozen instance does. */
export async function freezeInHandler(
  protocol: Pick<Protocol, 'process'>,
  after: Handler<never>,
): Promise<{ readonly outcome: Promise<EventOutcome>; readonly thaw: () => void }> {
  const { promise: frozen, resolve: thaw } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const outcome = protocol.process(anEvent(), async (event, work) => {
    start();
    await frozen;
    return after(event, work);
  });
  await started;
  return { outcome, thaw };
}

/** The example's credit: adds to an account and asks for a receipt. */
export const credit =
  (amount: number | bigint = 500, account = 'acct-1'): Handler<never> =>
  async (_event, work) => {
    work.write({
      Update: {
        TableName: TABLES.accounts,
        Key: { accountId: account },
        UpdateExpression: 'ADD balance :amount, entries :one',
        ExpressionAttributeValues: { ':amount': amount, ':one': 1 },
      },
    });
    work.emit('receipt.requested', { account, amount });
    return { account };
  };

/** A named error, as the SDK throws them. */
export const sdkError = (name: string, more: object = {}): Error =>
  Object.assign(new Error(`injected ${name}`), { name, ...more });

/** A connection that was cut: the SDK's answer when nothing came back. */
export const lostAnswer = (): Error => sdkError('TimeoutError');
