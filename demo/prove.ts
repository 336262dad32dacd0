/**
 * One proof run: local AWS on free ports, every copy of every event over HTTP, everything that can go
 * wrong, and then the books.
 */
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OUTCOME_HEADER } from '../lambda/contract.ts';
import { startLocalAws } from '../local/start-local-aws.ts';
import { audit, readBooks } from './audit.ts';
import { createChance } from './chance.ts';
import { CRASH_ROWS } from './crash-rows.ts';
import { createTally, deliver, type Tally } from './deliver.ts';
import { type Guard, withoutGuard } from './guards.ts';
import { createMisfortune } from './misfortune.ts';
import { startOutside } from './outside.ts';
import { type Plan, planRun, type Size } from './plan.ts';
import type { Run } from './report.ts';

/** The shortest that the stack allows: a lease is a second longer, and the run waits for many of them. */
const FUNCTION_TIMEOUT_SECONDS = 3;

export interface ProofOptions {
  readonly seed: string;
  readonly size: Size;
  /** Taken out of the code, to see the run notice. */
  readonly without?: Guard | undefined;
  /** How long a zombie's commit is held back: past its claim and the commit of the next worker. */
  readonly heldMs: number;
  /** Requests at a time. */
  readonly atOnce: number;
  /** How long a copy is sent again; what is not acknowledged by then is lost. In milliseconds. */
  readonly patienceMs: number;
  /** Kills that each row of the crash table must have had, or the run proves too little. */
  readonly leastCrashes: number;
  /** A DynamoDB Local that runs already. @default one of its own */
  readonly dynamodbEndpoint?: string;
  readonly signal: AbortSignal;
  readonly onStage?: (text: string) => void;
  /** Called when the deliveries begin; what it returns is called when they have ended. */
  readonly onDeliveries?: (look: () => State) => () => void;
}

/** How far the deliveries have come. */
export interface State {
  readonly plan: Plan;
  readonly tally: Tally;
  readonly crashes: number;
}

/** @returns `undefined` when it was stopped. */
export async function prove(options: ProofOptions): Promise<Run | undefined> {
  const { seed, size, without: guard, signal, onStage = () => {} } = options;
  const begun = Date.now();
  const chance = createChance(seed);
  const plan = planRun(chance, size);
  const misfortune = createMisfortune(plan.events, chance, options.heldMs);
  onStage(
    `seed ${seed}: ${size.events} events, ${plan.deliveries.length} copies${guard === undefined ? '' : `, without ${guard}`}`,
  );

  const outside = await startOutside();
  const aws = await startLocalAws({
    stateFile: false,
    sourcesFile: join(import.meta.dirname, 'sources.ts'),
    context: { receiveTimeoutSeconds: String(FUNCTION_TIMEOUT_SECONDS) },
    ...(options.dynamodbEndpoint === undefined ? {} : { dynamodbEndpoint: options.dynamodbEndpoint }),
    ...(guard === undefined ? {} : { plugins: [withoutGuard(guard)] }),
    beforeAnswer: ({ payload }) => (misfortune.killsBeforeResponse(appliedEvent(payload) ?? '') ? 'kill' : 'go on'),
    onNotice: ({ kind, text }) => kind === 'progress' && onStage(`${text} …`),
  });
  const tally = createTally();
  const crashes = (): number => [...misfortune.crashes.values()].reduce((sum, count) => sum + count, 0);
  try {
    aws.gateway.faults.use(misfortune.source);
    const ended = options.onDeliveries?.(() => ({ plan, tally, crashes: crashes() }));
    await deliver(plan.deliveries, tally, {
      apiUrl: aws.apiUrl,
      secrets: aws.secrets,
      outside: outside.url,
      atOnce: options.atOnce,
      patienceMs: options.patienceMs,
      chance,
      signal,
    }).finally(ended);
    if (signal.aborted) return undefined;
    // Commits that were held back still arrive.
    await aws.gateway.settled();

    const client = new DynamoDBClient({
      endpoint: aws.endpoints.dynamodb,
      region: aws.region,
      credentials: { ...aws.credentials },
    });
    const books = await readBooks(DynamoDBDocumentClient.from(client), aws.tables, outside.calls);
    client.destroy();
    return {
      seed,
      events: size.events,
      seconds: (Date.now() - begun) / 1000,
      tally,
      crashes: misfortune.crashes,
      zombies: misfortune.zombies(),
      injected: aws.gateway.faults.injected,
      audit: audit(plan.events, books),
      shortcomings: CRASH_ROWS.filter((row) => (misfortune.crashes.get(row) ?? 0) < options.leastCrashes).map(
        (row) =>
          `only ${misfortune.crashes.get(row) ?? 0} processes were killed "${row}"; at least ${options.leastCrashes} must be`,
      ),
    };
  } finally {
    await aws.stop();
    await outside.close();
  }
}

/** The event of an answer that says `processed`. */
function appliedEvent(payload: string): string | undefined {
  const { headers, body }: { headers?: Record<string, string>; body?: string } = JSON.parse(payload);
  return headers?.[OUTCOME_HEADER] === 'processed' ? JSON.parse(body ?? '{}').eventId : undefined;
}
