import type { InvocationResult } from '../functions/invocation.ts';
import type { Mapping } from './mapping.ts';
import { createMappingFaults, type MappingFaults, type MappingTroubles } from './mapping-faults.ts';
import type { MappingSpec } from './mapping-spec.ts';
import type { Schedule, ScheduleSpec } from './schedule.ts';

/** What tests and demonstrations do with the mappings of the stack. */
export interface Mappings {
  /**
   * Stops the mappings to a function, by its key, or those of a {@link MappingChoice}, or all; what comes
   * meanwhile waits in the stream or the queue. Resolves when the batches that were under way have been
   * answered: for a queue after a second at most, when its poll has come back.
   *
   * @throws Error when there is none.
   */
  pause(which?: string | MappingChoice): Promise<void>;
  /** @throws Error when there is none. */
  resume(which?: string | MappingChoice): void;
  /** What goes wrong between the streams or queues and the functions. */
  readonly faults: MappingFaults;
}

/** Some of the mappings: those that satisfy everything that is given. */
export interface MappingChoice {
  readonly functionKey?: string;
  readonly from?: MappingSpec['from'];
}

/** What runs the functions without a request: streams, queues and schedules. */
export interface EventSources extends Mappings {
  /** Takes those of a template; a stream that is read already goes on where it was. */
  replace(mappings: readonly MappingSpec[], schedules: readonly ScheduleSpec[]): Promise<void>;
  /** Whether a mapping, by its logical id, is stopped for now. */
  isPaused(logicalId: string): boolean;
  /** Runs a schedule now, by its rule's logical id or its function's key. @throws Error when there is none. */
  fire(ruleOrFunctionKey: string): Promise<InvocationResult>;
  /** Begins nothing any more. */
  stop(): void;
  /** Resolves when nothing runs any more. */
  ended(): Promise<void>;
}

export interface EventSourcesDeps {
  readonly startMapping: (spec: MappingSpec, troubles: MappingTroubles) => Mapping;
  readonly startSchedule: (spec: ScheduleSpec) => Schedule;
}

interface Running {
  readonly spec: MappingSpec;
  readonly mapping: Mapping;
}

export function createEventSources({ startMapping, startSchedule }: EventSourcesDeps): EventSources {
  let mappings: readonly Running[] = [];
  let schedules: readonly { readonly spec: ScheduleSpec; readonly schedule: Schedule }[] = [];
  const ending = new Set<Promise<void>>();
  /** By logical id. */
  const paused = new Set<string>();
  const { faults, troublesOf } = createMappingFaults();
  let stopped = false;

  function end({ mapping }: Running): Promise<void> {
    mapping.stop();
    const gone = mapping.ended.finally(() => ending.delete(gone));
    ending.add(gone);
    return gone;
  }

  async function start(spec: MappingSpec, before: Running | undefined): Promise<Running> {
    // One batch at a time, also across a deploy.
    if (before !== undefined) await end(before);
    const mapping = startMapping(spec, troublesOf(spec));
    if (paused.has(spec.logicalId)) void mapping.pause();
    const running = { spec, mapping };
    if (stopped) void end(running);
    return running;
  }

  const chosen = (which: string | MappingChoice = {}): readonly Running[] => {
    const { functionKey, from } = typeof which === 'string' ? { functionKey: which, from: undefined } : which;
    const found = mappings.filter(
      ({ spec }) =>
        (functionKey === undefined || spec.functionKey === functionKey) && (from === undefined || spec.from === from),
    );
    if (found.length === 0) throw new Error(`no ${from ?? 'stream or queue'} leads to ${functionKey ?? 'a function'}`);
    return found;
  };

  return {
    async replace(wanted, wantedSchedules) {
      if (stopped) return;
      const before = mappings;
      await Promise.all(
        before.filter(({ spec }) => !wanted.some(({ logicalId }) => logicalId === spec.logicalId)).map(end),
      );
      mappings = await Promise.all(
        wanted.map((spec) => {
          const same = before.find(({ spec: { logicalId } }) => logicalId === spec.logicalId);
          return same !== undefined && isSame(same.spec, spec) ? same : start(spec, same);
        }),
      );
      if (stopped) return;
      // One that is the same is left alone: whoever saves a file every half minute still has it run.
      const kept = schedules.filter(({ spec }) => wantedSchedules.some((each) => isSame(each, spec)));
      for (const each of schedules) if (!kept.includes(each)) each.schedule.stop();
      schedules = wantedSchedules.map(
        (spec) => kept.find((each) => isSame(each.spec, spec)) ?? { spec, schedule: startSchedule(spec) },
      );
    },
    async fire(ruleOrFunctionKey) {
      const found = schedules.find(({ spec }) => [spec.logicalId, spec.functionKey].includes(ruleOrFunctionKey));
      if (found === undefined) throw new Error(`there is no schedule ${ruleOrFunctionKey}`);
      return found.schedule.fire();
    },
    isPaused: (logicalId) => paused.has(logicalId),
    faults,
    async pause(which) {
      const found = chosen(which);
      for (const { spec } of found) paused.add(spec.logicalId);
      await Promise.all(found.map(({ mapping }) => mapping.pause()));
    },
    resume(which) {
      for (const { spec, mapping } of chosen(which)) {
        paused.delete(spec.logicalId);
        mapping.resume();
      }
    },
    stop() {
      stopped = true;
      for (const running of mappings) void end(running);
      for (const { schedule } of schedules) schedule.stop();
    },
    async ended() {
      while (ending.size > 0) await Promise.all(ending);
    },
  };
}

const isSame = <Spec extends MappingSpec | ScheduleSpec>(one: Spec, other: Spec): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
