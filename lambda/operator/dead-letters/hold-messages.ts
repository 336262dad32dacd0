/**
 * Going through a queue. SQS has no list: to look at a message is to receive it, and so to hide it from others for a
 * while. Each message is met once, because those met before stay hidden; at the end, whatever happens, those that were
 * not removed are made visible again. A process that dies leaves them hidden until that time is over, and no longer.
 */
import type { QueueMessage } from '../../core/queue-message.ts';
import { type DurationMs, seconds } from '../../core/time.ts';
import type { OperatorQueue } from '../deployment/queue-port.ts';

/** Long enough to go through thousands of messages, short enough to wait for after a crash. */
export const HIDDEN_WHILE_LOOKING: DurationMs = seconds(300);

export interface HeldMessages {
  /** The next messages, at most ten; none at the end, or when it was interrupted. */
  next(): Promise<readonly QueueMessage[]>;
  /** Removes a message that was met. @throws Refusal when it may still be there. */
  remove(message: QueueMessage): Promise<void>;
}

export interface HoldOptions {
  readonly hide: DurationMs;
  readonly interruption: AbortSignal;
  /** Told when messages could not be made visible again at once. */
  readonly onHidden: (count: number, reason: string) => void;
}

/** @throws what `work` throws, and Refusal when the queue cannot be reached. */
export async function holdMessages<T>(
  queue: OperatorQueue,
  { hide, interruption, onHidden }: HoldOptions,
  work: (held: HeldMessages) => Promise<T>,
): Promise<T> {
  const met = new Set<string>();
  const held = new Map<string, QueueMessage>();
  try {
    return await work({
      async next() {
        if (interruption.aborted) return [];
        const received = await queue.receive(hide);
        // The last receipt counts: an earlier one of the same message may not be good any more.
        for (const message of received) held.set(message.messageId, message);
        // Only such as were met before: the queue has come round, because this took longer than they stay hidden.
        const fresh = received.filter(({ messageId }) => !met.has(messageId));
        for (const { messageId } of fresh) met.add(messageId);
        return fresh;
      },
      async remove(message) {
        await queue.remove(held.get(message.messageId) ?? message);
        held.delete(message.messageId);
      },
    });
  } finally {
    const left = [...held.values()];
    const reason = left.length === 0 ? undefined : await queue.giveBack(left);
    if (reason !== undefined) onHidden(left.length, reason);
  }
}
