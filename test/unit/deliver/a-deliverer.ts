import type { AddressedMessage, PostAnswer, PostRequest } from '../../../lambda/core/deliver-ports.ts';
import type { SendResult } from '../../../lambda/core/outbox-ports.ts';
import type { Invocation, SecretAnswer } from '../../../lambda/core/ports.ts';
import type { QueueMessage } from '../../../lambda/core/queue-message.ts';
import type { Target } from '../../../lambda/core/target.ts';
import { plus, seconds } from '../../../lambda/core/time.ts';
import { createDeliver, type DeliverDeps } from '../../../lambda/deliver/deliver.ts';
import { createManualClock, T0 } from '../../support/manual-clock.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 0x42).toString('base64')}`;

export const aTarget = (changes: Partial<Target> = {}): Target => ({
  name: 'billing',
  url: 'https://billing.example.com/hooks?key=hunter2',
  topics: undefined,
  timeout: seconds(10),
  ...changes,
});

export const aMessage = (
  attributes: Readonly<Record<string, string>> = {},
  changes: Partial<QueueMessage> = {},
): QueueMessage => ({
  messageId: 'm-1',
  receipt: 'r-1',
  body: '{"amount":5}',
  receives: 1,
  sentAt: T0,
  firstReceivedAt: T0,
  groupId: undefined,
  attributes: { id: 'shop#e1#1', topic: 'receipt.requested', ...attributes },
  ...changes,
});

export const anInvocation = (signal = new AbortController().signal): Invocation => ({
  endsAt: plus(T0, 30_000),
  signal,
});

/** The deliverer, with everything outside of it under the test's control. */
export function aDeliverer(targets: readonly Target[] = [aTarget()]) {
  const clock = createManualClock();
  const sent: (readonly AddressedMessage[])[] = [];
  const posts: PostRequest[] = [];
  const hidden: number[] = [];
  const told: unknown[] = [];
  const asked: string[] = [];
  const controls: {
    send: (messages: readonly AddressedMessage[]) => readonly SendResult[];
    answer: PostAnswer;
    secrets: (name: string, after: 'start' | 'mismatch') => SecretAnswer;
    random: number;
  } = {
    send: (messages) => messages.map(() => ({ kind: 'sent' })),
    answer: { kind: 'answered', status: 200, retryAfter: undefined },
    secrets: () => ({ kind: 'found', secrets: [SECRET] }),
    random: 0.5,
  };
  const deps: DeliverDeps = {
    targets,
    clock,
    deliveries: {
      async send(messages) {
        sent.push(messages);
        return controls.send(messages);
      },
    },
    visibility: { hide: async (_message, duration) => void hidden.push(duration) },
    secrets: {
      async secretsOf(name, after) {
        asked.push(`${name} ${after}`);
        return controls.secrets(name, after);
      },
    },
    async post(request) {
      posts.push(request);
      clock.advance(40);
      return controls.answer;
    },
    chance: { token: () => 'unused', random: () => controls.random },
    telemetry: {
      attempted: (attempt) => void told.push(attempt),
      unwanted: ({ id, topic }) => void told.push({ unwanted: id, topic }),
      warn: (warning, fields) => void told.push({ warning, ...fields }),
    },
  };
  return { deliver: createDeliver(deps), deps, clock, sent, posts, hidden, told, asked, controls };
}
