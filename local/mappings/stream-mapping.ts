/**
 * Brings the changes of a table to a function, as Lambda's poller does: with the function's role, in
 * order, one batch at a time.
 *
 * What has been passed is remembered, so that a mapping that is started again goes on where it was.
 */

import type { InvocationResult } from '../functions/invocation.ts';
import type { Timers } from '../functions/timers.ts';
import { oneLine } from '../problem.ts';
import { deliverBatch } from './deliver-batch.ts';
import { buildDiscardMessage } from './discarded-batch.ts';
import { readFilter } from './filter.ts';
import type { Mapping } from './mapping.ts';
import type { MappingTroubles } from './mapping-faults.ts';
import type { StreamMappingSpec } from './mapping-spec.ts';
import { createPausable } from './pausable.ts';
import type { Positions } from './positions.ts';
import type { StreamAccess } from './stream-access.ts';
import { buildStreamRecord, type StreamRecord } from './stream-record.ts';
import type { Shard, ShardPosition, StreamSource } from './stream-source.ts';

export interface StreamMappingDeps {
  readonly source: StreamSource;
  readonly region: string;
  readonly access: StreamAccess;
  readonly invoke: (functionName: string, payload: string) => Promise<InvocationResult>;
  /** @throws when the queue does not take it. */
  readonly sendToQueue: (queueArn: string, body: string) => Promise<void>;
  /** Kept by whoever starts the mapping again. */
  readonly positions: Positions;
  readonly now: () => number;
  /** Before a batch comes again for the first time. */
  readonly firstWaitMs: number;
  readonly timers: Timers;
  /** What goes wrong on purpose. */
  readonly troubles: MappingTroubles;
  readonly say: (text: string) => void;
}

/** A poll of DynamoDB Local takes some 2 ms. Lambda polls an idle shard four times a second. */
const IDLE_MS = 100;
/** After a failure, which most often is a service that starts again or a grant that is missing. */
const TROUBLE_MS = 1000;

export function startStreamMapping(spec: StreamMappingSpec, deps: StreamMappingDeps): Mapping {
  const { source, positions, timers } = deps;
  const passes = readFilter(spec.patterns, spec.logicalId);
  const flow = createPausable(timers);
  let running: Promise<unknown> = Promise.resolve();
  let trouble: string | undefined;

  async function mayGoOn(): Promise<boolean> {
    while (flow.resumed !== undefined && !flow.isStopped) await flow.resumed;
    return !flow.isStopped;
  }

  async function run(): Promise<void> {
    const iterators = new Map<string, string>();
    let shards: readonly Shard[] = [];
    while (await mayGoOn()) {
      try {
        deps.access.requireRead();
        if (shards.length === 0) shards = await source.shards();
        let sawRecords = false;
        for (const shard of readable(shards)) {
          const poll = await pollShard(shard, iterators);
          sawRecords ||= poll === 'records';
          if (poll === 'ended') shards = [];
        }
        trouble = undefined;
        if (!sawRecords && shards.length > 0) await flow.wait(IDLE_MS);
      } catch (error) {
        // Iterators may have expired, and the stream may be another by now.
        iterators.clear();
        shards = [];
        sayOnce(oneLine(error));
        await flow.wait(TROUBLE_MS);
      }
    }
  }

  function sayOnce(text: string): void {
    if (flow.isStopped || text === trouble) return;
    trouble = text;
    deps.say(`the stream mapping of ${spec.functionKey} stands still: ${text}`);
  }

  /** A shard is read when its parent has been read to its end. */
  const readable = (shards: readonly Shard[]): readonly Shard[] =>
    shards.filter(({ id, parentId }) => {
      const parentEnds = parentId === undefined || !shards.some((shard) => shard.id === parentId);
      return positions.get(id) !== 'ended' && (parentEnds || positions.get(parentId) === 'ended');
    });

  async function pollShard(shard: Shard, iterators: Map<string, string>): Promise<'records' | 'idle' | 'ended'> {
    const position = positions.get(shard.id) ?? (shard.parentId === undefined ? spec.startAt : 'TRIM_HORIZON');
    if (position === 'ended') return 'ended';
    const iterator = iterators.get(shard.id) ?? (await openShard(shard.id, position));
    if (iterator === undefined) return end(shard, iterators);
    if (deps.troubles.befalls('read-fails')) throw new Error('local AWS was told to fail');
    const { records, next } = await readRecords(shard, position, iterator);
    const all = records.map((record) => buildStreamRecord(record, spec.streamArn, deps.region));
    await deliverBatch(all.filter(passes), spec, {
      now: deps.now,
      firstWaitMs: deps.firstWaitMs,
      mayGoOn,
      wait: flow.wait,
      invoke: (batch) => invoke(batch),
      repeats: () => deps.troubles.befalls('batch-repeats'),
      passed: (last) => positions.set(shard.id, { after: last.dynamodb.SequenceNumber }),
      discard: (batch, why) => discard(shard.id, batch, why),
    });
    // Stopped on the way, the batch comes again; else the records that do not pass are behind it as well.
    if (flow.isStopped) return 'idle';
    const last = all.at(-1);
    if (last !== undefined) positions.set(shard.id, { after: last.dynamodb.SequenceNumber });
    if (next === undefined) return end(shard, iterators);
    iterators.set(shard.id, next);
    return all.length > 0 ? 'records' : 'idle';
  }

  /** DynamoDB Local forgets an iterator of an empty shard when the first record comes. */
  async function readRecords(shard: Shard, position: ShardPosition, iterator: string) {
    try {
      return await source.records(iterator, spec.batchSize);
    } catch (error) {
      if (!isTrimmed(error)) throw error;
      const anew = await openShard(shard.id, position === 'LATEST' ? 'TRIM_HORIZON' : position);
      if (anew === undefined) throw error;
      return source.records(anew, spec.batchSize);
    }
  }

  async function openShard(shardId: string, position: ShardPosition): Promise<string | undefined> {
    try {
      return await source.iterator(shardId, position);
    } catch (error) {
      // A position that was kept for over 24 h; what followed it is gone, and reading goes on with the oldest.
      if (!isTrimmed(error)) throw error;
      return source.iterator(shardId, 'TRIM_HORIZON');
    }
  }

  function end(shard: Shard, iterators: Map<string, string>): 'ended' {
    positions.set(shard.id, 'ended');
    iterators.delete(shard.id);
    return 'ended';
  }

  function invoke(Records: readonly StreamRecord[]): Promise<InvocationResult> {
    const invocation = deps.invoke(spec.functionName, JSON.stringify({ Records }));
    running = invocation;
    return invocation;
  }

  async function discard(
    shardId: string,
    records: readonly StreamRecord[],
    why: Pick<Parameters<typeof buildDiscardMessage>[0], 'condition' | 'invokeCount' | 'functionError'>,
  ): Promise<void> {
    const { functionArn, streamArn, onFailure } = spec;
    deps.say(`discarded ${records.length} stream records: ${why.condition}`);
    if (onFailure === undefined) return;
    const message = buildDiscardMessage({ ...why, functionArn, streamArn, shardId, records }, deps.now());
    try {
      deps.access.requireSend(onFailure);
      await deps.sendToQueue(onFailure, message);
    } catch (error) {
      // Lambda counts it as DestinationDeliveryFailures and goes on as well.
      deps.say(`the failure destination did not take it: ${oneLine(error)}`);
    }
  }

  return {
    pause() {
      flow.pause();
      return running.then(() => {});
    },
    resume: flow.resume,
    stop() {
      flow.stop();
    },
    ended: run(),
  };
}

const isTrimmed = (error: unknown): boolean => error instanceof Error && error.name === 'TrimmedDataAccessException';
