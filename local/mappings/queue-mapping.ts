/**
 * Brings the messages of a queue to a function, as Lambda's pollers do: with the function's role, and some
 * batches at a time.
 *
 * A message is deleted when the function is done with it. Any other becomes visible again by the queue's own
 * visibility timeout, whatever became of the function, and so comes again or goes to the DLQ. That no two
 * batches of a FIFO queue hold messages of one group is the queue's doing.
 */
import type { Message } from '@aws-sdk/client-sqs';
import type { InvocationResult } from '../functions/invocation.ts';
import type { Timers } from '../functions/timers.ts';
import { oneLine } from '../problem.ts';
import type { Mapping } from './mapping.ts';
import type { MappingTroubles } from './mapping-faults.ts';
import type { QueueMappingSpec } from './mapping-spec.ts';
import { createPausable } from './pausable.ts';
import { readQueueAnswer } from './queue-answer.ts';
import { splitToFit } from './queue-batches.ts';
import { buildQueueRecord, type QueueRecord } from './queue-record.ts';

/** A queue, as its poller uses it. Every method throws what the SDK throws. */
export interface PolledQueue {
  /** Messages with all their attributes; waits so long for the first. */
  receive(
    queueName: string,
    options: { readonly max: number; readonly waitSeconds: number; readonly signal: AbortSignal },
  ): Promise<readonly Message[]>;
  deleteMessages(queueName: string, receiptHandles: readonly string[]): Promise<void>;
}

export interface QueueMappingDeps {
  readonly queue: PolledQueue;
  readonly region: string;
  /** @throws Error in AWS's words when the function's role does not allow it. */
  readonly requireAccess: () => void;
  readonly invoke: (functionName: string, payload: string) => Promise<InvocationResult>;
  readonly now: () => number;
  readonly timers: Timers;
  /** What goes wrong on purpose. */
  readonly troubles: MappingTroubles;
  readonly say: (text: string) => void;
}

/** So short that a pause is prompt: what a poll brings when nobody waits for it any more is invisible for long. */
const POLL_SECONDS = 1;
/** Most messages that one poll brings.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
const MAX_PER_POLL = 10;
/** After a failure, which most often is a grant that is missing. */
const TROUBLE_MS = 1000;

export function startQueueMapping(spec: QueueMappingSpec, deps: QueueMappingDeps): Mapping {
  const { queue, timers, troubles } = deps;
  const breakOff = new AbortController();
  const running = new Set<Promise<void>>();
  const flow = createPausable(timers);
  let polling: Promise<unknown> = Promise.resolve();
  let trouble: string | undefined;

  async function mayGoOn(): Promise<boolean> {
    while (!flow.isStopped && (flow.resumed !== undefined || running.size >= spec.maxConcurrency)) {
      await (flow.resumed ?? Promise.race(running));
    }
    return !flow.isStopped;
  }

  async function run(): Promise<void> {
    while (await mayGoOn()) {
      polling = poll();
      await polling;
    }
    await Promise.all(running);
  }

  /** Begins one batch, if there is any; fails never. */
  async function poll(): Promise<void> {
    try {
      deps.requireAccess();
      if (troubles.befalls('read-fails')) throw new Error('local AWS was told to fail');
      const messages = await collect();
      trouble = undefined;
      if (messages.length > 0) begin(messages.map((each) => buildQueueRecord(each, spec.queueArn, deps.region)));
    } catch (error) {
      sayOnce(oneLine(error));
      if (flow.resumed === undefined) await flow.wait(TROUBLE_MS);
    }
  }

  async function collect(): Promise<readonly Message[]> {
    const { queueName, batchSize, windowMs } = spec;
    const receive = (room: number, waitSeconds: number): Promise<readonly Message[]> =>
      queue.receive(queueName, { max: Math.min(room, MAX_PER_POLL), waitSeconds, signal: breakOff.signal });

    const batch = [...(await receive(batchSize, POLL_SECONDS))];
    const closesAt = deps.now() + windowMs;
    while (
      batch.length > 0 &&
      batch.length < batchSize &&
      deps.now() < closesAt &&
      flow.resumed === undefined &&
      !flow.isStopped
    ) {
      const waitSeconds = closesAt - deps.now() < POLL_SECONDS * 1000 ? 0 : POLL_SECONDS;
      const more = await receive(batchSize - batch.length, waitSeconds);
      batch.push(...more);
      if (more.length === 0 && waitSeconds === 0) await flow.wait(closesAt - deps.now());
    }
    return batch;
  }

  function begin(records: readonly QueueRecord[]): void {
    const delivered = deliver(records).finally(() => running.delete(delivered));
    running.add(delivered);
  }

  async function deliver(records: readonly QueueRecord[]): Promise<void> {
    for (const batch of splitToFit(records)) {
      const done = await answerTo(batch);
      if (done.length === 0) continue;
      try {
        if (troubles.befalls('delete-fails')) throw new Error('local AWS was told to fail');
        await queue.deleteMessages(
          spec.queueName,
          batch.filter(({ messageId }) => done.includes(messageId)).map(({ receiptHandle }) => receiptHandle),
        );
      } catch (error) {
        if (!flow.isStopped) deps.say(`not deleted, so what is done comes again (${done.length}): ${oneLine(error)}`);
      }
    }
  }

  async function answerTo(batch: readonly QueueRecord[]): Promise<readonly string[]> {
    const payload = JSON.stringify({ Records: batch });
    const ids = batch.map(({ messageId }) => messageId);
    const invoke = async (): Promise<readonly string[]> =>
      readQueueAnswer(await deps.invoke(spec.functionName, payload), ids, spec.reportsItemFailures);
    const done = await invoke();
    return done.length === ids.length && troubles.befalls('batch-repeats') ? invoke() : done;
  }

  function sayOnce(text: string): void {
    if (flow.isStopped || text === trouble) return;
    trouble = text;
    deps.say(`the queue mapping of ${spec.functionKey} stands still: ${text}`);
  }

  return {
    async pause() {
      flow.pause();
      flow.wake();
      await polling;
      await Promise.all(running);
    },
    resume: flow.resume,
    stop() {
      flow.stop();
      breakOff.abort();
    },
    ended: run(),
  };
}
