import type { QueueMessage } from '../../core/queue-message.ts';
import type { DurationMs } from '../../core/time.ts';

/** A message as it is sent. */
export interface OutgoingMessage {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of a FIFO queue. */
  readonly fifo: { readonly groupId: string; readonly deduplicationId: string } | undefined;
}

/** A queue, as an operator reaches it. Every method but `giveBack` throws a Refusal when it cannot be reached. */
export interface OperatorQueue {
  readonly isFifo: boolean;
  /** About how many messages it has, those that somebody has received included. */
  depth(): Promise<number>;
  /** At most ten messages, hidden from everybody else for so long. None: there is nothing that is visible. */
  receive(hide: DurationMs): Promise<readonly QueueMessage[]>;
  /**
   * Makes received messages visible again at once. Nothing is thrown, because what fails comes back by itself.
   *
   * @returns why some stay hidden until then; `undefined` when none does.
   */
  giveBack(messages: readonly QueueMessage[]): Promise<string | undefined>;
  /** Resolves when the queue has it durably. */
  send(message: OutgoingMessage): Promise<void>;
  remove(message: QueueMessage): Promise<void>;
}
