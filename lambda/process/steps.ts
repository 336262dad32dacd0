/**
 * Steps: the world outside the transaction.
 *
 * A remote call and our own commit cannot be one transaction, so a crash between them is always
 * possible. A step narrows it down: its result is recorded on the claimed row as soon as it is
 * known, and the next attempt gets the record instead of a second call. What is left is a crash
 * between the call and the record; for that the remote side gets the same idempotency key every
 * time, or is asked first by `alreadyDone`.
 *
 * The record is a fenced write: a worker whose claim ended cannot leave a step behind.
 */
import { OncehookError } from '../core/errors.ts';
import type { StepOptions } from '../core/handler.ts';
import { sha256Hex } from '../core/inbox-key.ts';
import type { StepRecord } from '../core/inbox-row.ts';
import { stringifyJson } from '../core/json.ts';
import type { Claim, Clock, InboxStore, Telemetry } from '../core/ports.ts';
import { findUnstorable } from '../core/storable.ts';
import { toIso } from '../core/time.ts';
import { invalidWork } from './writes.ts';

/** All recorded steps of one event together, so that the row stays far below DynamoDB's 400 KB. */
export const MAX_STEPS_BYTES = 32 * 1024;

const STEP_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

export interface StepDeps {
  readonly inbox: Pick<InboxStore, 'recordStep'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly telemetry: Pick<Telemetry, 'warn'>;
  /** Repeats a write that DynamoDB refused for load or conflict. */
  readonly retry: <T>(write: () => Promise<T>) => Promise<T>;
}

export interface Steps {
  run<T>(name: string, run: (key: string) => Promise<T>, options: StepOptions<T>): Promise<T>;
  /** Whether a record was refused because the claim ended. */
  hasLostClaim(): boolean;
}

export function createSteps(deps: StepDeps, claim: Claim): Steps {
  const started = new Set<string>();
  let bytes = sizeOf(claim.steps);
  let lostClaim = false;

  const record = async (name: string, step: StepRecord): Promise<void> => {
    const problem = step.value === undefined ? undefined : findUnstorable(step.value, 'attribute', 'result');
    if (problem !== undefined) throw invalidWork(`step ${name}: ${problem}`);
    bytes += sizeOf({ [name]: step });
    if (bytes > MAX_STEPS_BYTES) {
      throw invalidWork(
        `step ${name}: the results of all steps together take ${bytes} bytes; at most ${MAX_STEPS_BYTES} are kept`,
      );
    }
    const answer = await deps.retry(() => deps.inbox.recordStep(claim, name, step));
    if (answer === 'written') return;
    lostClaim = true;
    throw new OncehookError('STORE_CONFLICT', `step ${name}: the claim on this event ended`, { retryable: false });
  };

  return {
    hasLostClaim: () => lostClaim,
    async run<T>(name: string, run: (key: string) => Promise<T>, options: StepOptions<T>): Promise<T> {
      if (!STEP_NAME.test(name))
        throw invalidWork(`step name ${JSON.stringify(name)}: 1 to 100 of letters, digits and . _ : -`);
      if (started.has(name))
        throw invalidWork(`step ${name} is used twice in one handler; each needs a name of its own`);
      started.add(name);

      const finished = claim.steps[name];
      if (finished !== undefined) return finished.value as T;

      const key = stepKey(claim, name, options.key ?? 'hash');
      const found = await options.alreadyDone?.(key);
      if (found === undefined && claim.attempts > 1) {
        deps.telemetry.warn('a step may run a second time: an earlier attempt ended without its record', {
          source: claim.event.source,
          eventId: claim.event.eventId,
          step: name,
          attempt: claim.attempts,
        });
      }
      const value = found ?? (await run(key));
      await record(name, { ...(value === undefined ? {} : { value }), finishedAt: toIso(deps.clock.now()) });
      return value;
    },
  };
}

/** The idempotency key of a step: the same on every attempt. */
export const stepKey = (claim: Claim, name: string, form: 'hash' | 'event-id'): string =>
  form === 'event-id'
    ? claim.event.eventId
    : sha256Hex(JSON.stringify([claim.event.source, claim.event.eventId, name]));

const sizeOf = (steps: Readonly<Record<string, StepRecord>>): number => Buffer.byteLength(stringifyJson(steps));
