import { randomUUID } from 'node:crypto';
import type { InvocationResult } from '../functions/invocation.ts';
import type { Timers } from '../functions/timers.ts';
import type { Place } from '../template/physical-names.ts';

/** A rule that runs a function at a rate. */
export interface ScheduleSpec {
  readonly logicalId: string;
  readonly ruleArn: string;
  readonly functionKey: string;
  readonly functionName: string;
  readonly everyMs: number;
  /** Given to the function in the place of the event, as JSON. */
  readonly input: string | undefined;
  /** How often a run that failed is tried again. */
  readonly maxRetries: number;
}

export interface Schedule {
  /** Runs the function now, once, and leaves the timer as it is. */
  fire(): Promise<InvocationResult>;
  stop(): void;
}

export interface ScheduleDeps {
  readonly place: Place;
  readonly invoke: (functionName: string, payload: string) => Promise<InvocationResult>;
  /** `false` runs it on request alone. */
  readonly byItself: boolean;
  readonly now: () => number;
  readonly timers: Timers;
}

/** After which Lambda tries an asynchronous invocation again, the first time and from the second on.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const RETRY_AFTER_MS = [60_000, 120_000] as const;

export function startSchedule(spec: ScheduleSpec, deps: ScheduleDeps): Schedule {
  const { timers } = deps;
  const waits = new Set<() => void>();
  let stopped = false;

  function after(ms: number, run: () => void): void {
    const cancel = timers.after(ms, () => {
      waits.delete(cancel);
      run();
    });
    waits.add(cancel);
  }

  const invoke = (payload: string): Promise<InvocationResult> => deps.invoke(spec.functionName, payload);

  const nextPayload = (): string => spec.input ?? JSON.stringify(buildScheduledEvent(spec, deps.place, deps.now()));

  function runByItself(): void {
    after(spec.everyMs, runByItself);
    void tryUntilDone(nextPayload(), 0);
  }

  async function tryUntilDone(payload: string, retries: number): Promise<void> {
    const { kind } = await invoke(payload);
    if (stopped || kind === 'returned' || retries >= spec.maxRetries) return;
    after(RETRY_AFTER_MS[retries === 0 ? 0 : 1], () => void tryUntilDone(payload, retries + 1));
  }

  if (deps.byItself) after(spec.everyMs, runByItself);
  return {
    fire: () => invoke(nextPayload()),
    stop() {
      stopped = true;
      for (const cancel of waits) cancel();
    },
  };
}

/**
 * What EventBridge says when a rate has come round.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html
 */
const buildScheduledEvent = ({ ruleArn }: ScheduleSpec, { accountId, region }: Place, nowMs: number) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: accountId,
  time: new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: [ruleArn],
  detail: {},
});
