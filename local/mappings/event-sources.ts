import type { InvocationResult } from '../functions/invocation.ts';
import type { StreamMappingSpec } from './mapping-spec.ts';
import type { Schedule, ScheduleSpec } from './schedule.ts';
import type { StreamMapping } from './stream-mapping.ts';

/** What tests and demonstrations do with the mappings of the stack. */
export interface Mappings {
  /**
   * Stops the stream to a function, by its key; what is written meanwhile waits in the stream.
   * Resolves when the batch that was under way has been answered.
   */
  pause(functionKey: string): Promise<void>;
  resume(functionKey: string): void;
}

/** What runs the functions without a request: streams and schedules. */
export interface EventSources extends Mappings {
  /** Takes those of a template; a stream that is read already goes on where it was. */
  replace(mappings: readonly StreamMappingSpec[], schedules: readonly ScheduleSpec[]): Promise<void>;
  /** Runs a schedule now, by its rule's logical id or its function's key. @throws Error when there is none. */
  fire(ruleOrFunctionKey: string): Promise<InvocationResult>;
  /** Begins nothing any more. */
  stop(): void;
  /** Resolves when nothing runs any more. */
  ended(): Promise<void>;
}

export interface EventSourcesDeps {
  readonly startMapping: (spec: StreamMappingSpec) => StreamMapping;
  readonly startSchedule: (spec: ScheduleSpec) => Schedule;
}

interface Running {
  readonly spec: StreamMappingSpec;
  readonly mapping: StreamMapping;
}

export function createEventSources({ startMapping, startSchedule }: EventSourcesDeps): EventSources {
  let mappings: readonly Running[] = [];
  let schedules: readonly { readonly spec: ScheduleSpec; readonly schedule: Schedule }[] = [];
  const ending = new Set<Promise<void>>();
  const paused = new Set<string>();
  let stopped = false;

  function end({ mapping }: Running): Promise<void> {
    mapping.stop();
    const gone = mapping.ended.finally(() => ending.delete(gone));
    ending.add(gone);
    return gone;
  }

  async function start(spec: StreamMappingSpec, before: Running | undefined): Promise<Running> {
    // One batch at a time, also across a deploy.
    if (before !== undefined) await end(before);
    const mapping = startMapping(spec);
    if (paused.has(spec.functionKey)) void mapping.pause();
    const running = { spec, mapping };
    if (stopped) void end(running);
    return running;
  }

  const mappingsOf = (functionKey: string): readonly StreamMapping[] => {
    const found = mappings.filter(({ spec }) => spec.functionKey === functionKey);
    if (found.length === 0) throw new Error(`no stream leads to ${functionKey}`);
    return found.map(({ mapping }) => mapping);
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
    async pause(functionKey) {
      const found = mappingsOf(functionKey);
      paused.add(functionKey);
      await Promise.all(found.map((mapping) => mapping.pause()));
    },
    resume(functionKey) {
      const found = mappingsOf(functionKey);
      paused.delete(functionKey);
      for (const mapping of found) mapping.resume();
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

const isSame = <Spec extends StreamMappingSpec | ScheduleSpec>(one: Spec, other: Spec): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
