/**
 * Steps: the world outside the transaction.
 *
 * A remote call and our own commit cannot be one transaction, so a crash between them is always
 * possible. A step narrows it down: its result is recorded on the claimed row as soon as it is
 * known, and the next attempt gets the record instead of a second call. What is left is a crash
 * between the call and the record; for that the remote side gets the same idempotency key every
 * time, or is asked first by `alreadyDone`.
 *
 * The record is a fenced write: a worker whose claim ended cannot leave a step behind. And a claim is
 * given back or committed only after every running step has ended, because a step that goes on
 * beside the next attempt would be called twice.
 */
import { sizeOfItem } from '../core/attribute-size.ts';
import { type AttributeValue, decodeValue, encodeValue } from '../core/attribute-value.ts';
import { OncehookError } from '../core/errors.ts';
import type { StepOptions } from '../core/handler.ts';
import { sha256Hex } from '../core/inbox-key.ts';
import type { Claim, Clock, InboxStore, Telemetry } from '../core/ports.ts';
import { toIso } from '../core/time.ts';
import { invalidWork } from './writes.ts';

/** All recorded steps of one event together, so that the row stays far below DynamoDB's 400 KB. */
const MAX_STEPS_BYTES = 32 * 1024;

const STEP_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** A result stands in the record, the record in `steps`, and both count as a level. */
const DEPTH_OF_RESULT = 2;

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
  /** Resolves when no step runs any more, with the names of those that were still running. */
  settle(): Promise<readonly string[]>;
}

export function createSteps(deps: StepDeps, claim: Claim): Steps {
  const started = new Set<string>();
  const running = new Map<string, Promise<unknown>>();
  const encoder = createRecorder(deps, claim);

  const runStep = async <T>(name: string, run: (key: string) => Promise<T>, options: StepOptions<T>): Promise<T> => {
    if (!STEP_NAME.test(name))
      throw invalidWork(`step name ${JSON.stringify(name)}: 1 to 100 of letters, digits and . _ : -`);
    if (started.has(name)) throw invalidWork(`step ${name} is used twice in one handler; each needs a name of its own`);
    started.add(name);

    // Own properties only: every object inherits a `constructor`, and none of them was a step.
    if (Object.hasOwn(claim.steps, name)) return claim.steps[name]?.value as T;

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
    return encoder.record(name, found === undefined ? await run(key) : found);
  };

  return {
    hasLostClaim: encoder.hasLostClaim,
    run(name, run, options) {
      const step = runStep(name, run, options);
      running.set(name, step);
      const end = (): unknown => running.delete(name);
      // Whoever awaits the step sees its error; one that nobody awaits must not end the process.
      step.then(end, end);
      return step;
    },
    async settle() {
      const names = [...running.keys()];
      while (running.size > 0) await Promise.allSettled(running.values());
      return names;
    },
  };
}

/** Records results, and remembers whether the claim was lost over it. */
function createRecorder(deps: StepDeps, claim: Claim) {
  let lostClaim = false;
  let bytes = sizeOfItem(
    Object.fromEntries(
      Object.entries(claim.steps).map(([name, step]) => [name, encodeRecord(step.value, step.finishedAt)]),
    ),
  );
  return {
    hasLostClaim: () => lostClaim,
    /** @returns the result as the next attempt would get it, so that both attempts see one value. */
    async record<T>(name: string, value: T): Promise<T> {
      const record = encodeStep(name, value, toIso(deps.clock.now()));
      bytes += sizeOfItem({ [name]: record });
      if (bytes > MAX_STEPS_BYTES) {
        throw invalidWork(
          `step ${name}: the results of all steps together take ${bytes} bytes; at most ${MAX_STEPS_BYTES} are kept`,
        );
      }
      const answer = await deps.retry(() => deps.inbox.recordStep(claim, name, record));
      if (answer !== 'written') {
        lostClaim = true;
        throw new OncehookError('STORE_CONFLICT', `step ${name}: the claim on this event ended`, { retryable: false });
      }
      return ('value' in record.M ? decodeValue(record.M['value'] ?? { NULL: true }) : undefined) as T;
    },
  };
}

type EncodedRecord = Extract<AttributeValue, { readonly M: unknown }>;

function encodeStep(name: string, value: unknown, finishedAt: string): EncodedRecord {
  try {
    return encodeRecord(value, finishedAt);
  } catch (error) {
    throw error instanceof OncehookError ? invalidWork(`step ${name}: ${error.message}`) : error;
  }
}

const encodeRecord = (value: unknown, finishedAt: string): EncodedRecord => ({
  M: {
    ...(value === undefined ? {} : { value: encodeValue(value, 'result', DEPTH_OF_RESULT) }),
    finishedAt: { S: finishedAt },
  },
});

/** The idempotency key of a step: the same on every attempt. */
const stepKey = (claim: Claim, name: string, form: 'hash' | 'event-id'): string =>
  form === 'event-id'
    ? claim.event.eventId
    : sha256Hex(JSON.stringify([claim.event.source, claim.event.eventId, name]));
