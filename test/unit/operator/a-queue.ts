import type { QueueMessage } from '../../../lambda/core/queue-message.ts';
import { type EpochMs, plus } from '../../../lambda/core/time.ts';
import type { OperatorQueue, OutgoingMessage } from '../../../lambda/operator/deployment/queue-port.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

interface Stored {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly groupId: string | undefined;
  readonly sentAt: EpochMs;
  visibleAt: EpochMs;
  receives: number;
}

/** A queue in memory, which keeps time by the test's clock. `sent` has every message as it was sent. */
export function aQueue(clock: ManualClock, isFifo = false) {
  const stored: Stored[] = [];
  const sent: OutgoingMessage[] = [];
  let count = 0;
  const queue = {
    isFifo,
    stored,
    sent,
    /** Called before each request; what it throws is the answer. */
    before: (_action: 'receive' | 'send' | 'remove'): void => {},
    put(body: string, attributes: Readonly<Record<string, string>> = {}, groupId?: string): string {
      count += 1;
      const messageId = `message-${count}`;
      stored.push({ messageId, body, attributes, groupId, sentAt: clock.now(), visibleAt: clock.now(), receives: 0 });
      return messageId;
    },
    /** Messages that anybody may receive now. */
    visible: (): readonly string[] =>
      stored.filter(({ visibleAt }) => visibleAt <= clock.now()).map(({ messageId }) => messageId),
    depth: async () => stored.length,
    async receive(hide) {
      queue.before('receive');
      const found = stored.filter(({ visibleAt }) => visibleAt <= clock.now()).slice(0, 10);
      return found.map((each): QueueMessage => {
        each.visibleAt = plus(clock.now(), hide);
        each.receives += 1;
        return {
          messageId: each.messageId,
          receipt: `${each.messageId}:${each.receives}`,
          body: each.body,
          receives: each.receives,
          sentAt: each.sentAt,
          firstReceivedAt: undefined,
          groupId: each.groupId,
          attributes: each.attributes,
        };
      });
    },
    async giveBack(messages) {
      for (const { receipt } of messages) {
        const found = stored.find((each) => `${each.messageId}:${each.receives}` === receipt);
        if (found !== undefined) found.visibleAt = clock.now();
      }
      return undefined;
    },
    async send(message) {
      queue.before('send');
      sent.push(message);
    },
    async remove({ receipt }) {
      queue.before('remove');
      const at = stored.findIndex((each) => `${each.messageId}:${each.receives}` === receipt);
      if (at >= 0) stored.splice(at, 1);
    },
  } satisfies OperatorQueue & Record<string, unknown>;
  return queue;
}
