/**
 * One proof run: local AWS on free ports, every copy of every event over HTTP, everything that can go
 * wrong, and then the books.
 */
import { OUTCOME_HEADER } from '../lambda/contract.ts';
import { audit } from './audit.ts';
import { readBooks } from './books.ts';
import { createChance } from './chance.ts';
import { createClients } from './clients.ts';
import { countConsumerDuplicates } from './consumer-duplicates.ts';
import { CRASH_ROWS } from './crash-rows.ts';
import { createTally, deliver, type Tally } from './deliver.ts';
import { type Backlog, drain } from './drain.ts';
import { type Guard, withoutGuards } from './guards.ts';
import { createMisfortune, type Misfortune } from './misfortune.ts';
import { type Outage, startSweeping, stopStream } from './outage.ts';
import { createOutboxMisfortune } from './outbox-misfortune.ts';
import { startOutside } from './outside.ts';
import { type Plan, planRun, type Size } from './plan.ts';
import type { Run } from './report.ts';
import type { Scale } from './scaled-down.ts';
import { noteSentMessages, type SentMessages } from './sent-messages.ts';
import { startDemoAws } from './start.ts';

export interface ProofOptions {
  readonly seed: string;
  readonly size: Size;
  /** Taken out of the code, to see the run notice. */
  readonly without?: readonly Guard[];
  /** How long a zombie's commit is held back: past its claim and the commit of the next worker. */
  readonly heldMs: number;
  /** Requests at a time. */
  readonly atOnce: number;
  /** How long a copy is sent again; what is not acknowledged by then is lost. In milliseconds. */
  readonly patienceMs: number;
  /** When the stream is out. @default never */
  readonly outage?: Outage;
  readonly scale: Scale;
  /** Attempts before an event is parked. */
  readonly maxAttempts: number;
  /** How long the queues may take to become empty. In milliseconds, from the last acknowledgement on. */
  readonly drainMs: number;
  /** Kills that each row of the crash table must have had, or the run proves too little. */
  readonly leastCrashes: number;
  /** A DynamoDB Local that runs already. @default one of its own */
  readonly dynamodbEndpoint?: string;
  readonly signal: AbortSignal;
  readonly onStage?: (text: string) => void;
  /** Called when the deliveries begin; what it returns is called when everything has been worked off. */
  readonly onDeliveries?: (look: () => State) => () => void;
}

/** How far the run has come. */
export interface State {
  readonly plan: Plan;
  readonly tally: Tally;
  readonly crashes: number;
  /** `undefined` while events are sent. */
  readonly backlog: Backlog | undefined;
}

/** @returns `undefined` when it was stopped. */
export async function prove(options: ProofOptions): Promise<Run | undefined> {
  const { seed, size, without = [], signal, onStage = () => {} } = options;
  const begun = Date.now();
  const chance = createChance(seed);
  const plan = planRun(chance, size);
  const misfortune = createMisfortune(plan.events, chance, options.heldMs);
  const outbox = createOutboxMisfortune(plan.events, chance);
  const sent = noteSentMessages();
  onStage(
    `seed ${seed}: ${size.events} events, ${plan.deliveries.length} copies${without.length === 0 ? '' : `, without ${without.join(', ')}`}`,
  );

  const outside = await startOutside();
  const aws = await startDemoAws({
    scale: options.scale,
    maxAttempts: options.maxAttempts,
    ...(options.dynamodbEndpoint === undefined ? {} : { dynamodbEndpoint: options.dynamodbEndpoint }),
    plugins: withoutGuards(without),
    beforeAnswer: ({ payload }) => (misfortune.killsBeforeResponse(appliedEvent(payload) ?? '') ? 'kill' : 'go on'),
    onNotice: ({ kind, text }) => kind === 'progress' && onStage(`${text} …`),
  });
  const clients = createClients(aws);
  const tally = createTally();
  const crashes = (): number => [...misfortune.crashes.values()].reduce((sum, count) => sum + count, 0);
  let backlog: Backlog | undefined;
  try {
    aws.gateway.faults.use(sent.source);
    aws.gateway.faults.use(misfortune.source);
    aws.gateway.faults.use(outbox.source);
    const { injected: mappingFaults } = aws.mappings.faults.use(outbox.troubles);
    const consumerDuplicates = countConsumerDuplicates(aws.logs);
    const endSweeping = startSweeping(aws);
    const ended = options.onDeliveries?.(() => ({ plan, tally, crashes: crashes(), backlog }));
    const sending = deliver(plan.deliveries, tally, {
      apiUrl: aws.apiUrl,
      secrets: aws.secrets,
      outside: outside.url,
      atOnce: options.atOnce,
      patienceMs: options.patienceMs,
      chance,
      signal,
    });
    await Promise.all([sending, options.outage && stopStream(aws, options.outage, signal)]);
    const isDrained = await drain(aws, clients, {
      limitMs: options.drainMs,
      signal,
      onLook: (look) => {
        backlog = look;
      },
    });
    ended?.();
    await endSweeping();
    if (signal.aborted) return undefined;

    const books = await readBooks(aws, clients, { sent: sent.bodies, outsideCalls: outside.calls });
    return {
      seed,
      events: size.events,
      seconds: (Date.now() - begun) / 1000,
      tally,
      crashes: misfortune.crashes,
      killed: killsByFunction(aws.gateway.faults.killed, misfortune),
      zombies: misfortune.zombies(),
      refusals: misfortune.refusals(),
      injected: aws.gateway.faults.injected,
      mappingFaults,
      sentBy: sent.by,
      consumerDuplicates: consumerDuplicates(),
      audit: audit(plan.events, books),
      shortcomings: shortcomingsOf(options, misfortune, sent, consumerDuplicates(), isDrained),
    };
  } finally {
    clients.destroy();
    await aws.stop();
    await outside.close();
  }
}

/** The event of an answer that says `processed`. */
function appliedEvent(payload: string): string | undefined {
  const { headers, body }: { headers?: Record<string, string>; body?: string } = JSON.parse(payload);
  return headers?.[OUTCOME_HEADER] === 'processed' ? JSON.parse(body ?? '{}').eventId : undefined;
}

/** Those that a call was the moment of, and those before the response of receive. */
function killsByFunction(
  killed: readonly { readonly call: { readonly functionKey: string } }[],
  { crashes }: Misfortune,
): ReadonlyMap<string, number> {
  const beforeResponse = crashes.get('before the response') ?? 0;
  const counts = new Map(beforeResponse === 0 ? [] : [['receive', beforeResponse]]);
  for (const { call } of killed) counts.set(call.functionKey, (counts.get(call.functionKey) ?? 0) + 1);
  return counts;
}

/** What would make the run prove less than it says. */
function shortcomingsOf(
  { without = [], leastCrashes, drainMs, outage }: ProofOptions,
  { crashes }: Misfortune,
  { by }: SentMessages,
  consumerDuplicates: number,
  isDrained: boolean,
): readonly string[] {
  const tooFew = CRASH_ROWS.filter((row) => (crashes.get(row) ?? 0) < leastCrashes).map(
    (row) => `only ${crashes.get(row) ?? 0} processes were killed "${row}"; at least ${leastCrashes} must be`,
  );
  if (without.length > 0) return tooFew;
  return [
    ...tooFew,
    ...(isDrained ? [] : [`something was still on its way after ${drainMs / 1000} s`]),
    ...(consumerDuplicates > 0 ? [] : ['no message came to the consumer twice']),
    ...(outage === undefined || (by.get('sweep') ?? 0) > 0 ? [] : ['the stream was out, and the sweep sent nothing']),
  ];
}
