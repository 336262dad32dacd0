import { type AddressedMessage, isDelivered } from '../core/deliver-ports.ts';
import type { SecretAnswer } from '../core/ports.ts';
import type { MessageFate, QueueMessage } from '../core/queue-message.ts';
import { secretNameOf } from '../core/target.ts';
import { between, type DurationMs } from '../core/time.ts';
import type { DeliverDeps } from './deliver.ts';
import { readRetryAfter, waitBeforeNext } from './next-attempt.ts';
import { isSigningSecret, signRequest } from './sign-request.ts';

/**
 * Posts a message to its target. Whatever is no 2xx is tried again, after a back-off: a status tells too little to give
 * up by, and the queue gives up after about a day. What cannot be signed is not sent.
 */
export async function postMessage(
  deps: DeliverDeps,
  message: AddressedMessage,
  received: QueueMessage,
  signal: AbortSignal,
): Promise<MessageFate> {
  const { clock, telemetry } = deps;
  const { id, topic, target: name } = message;
  const keep = async (asked?: DurationMs): Promise<MessageFate> => {
    await deps.visibility.hide(received, waitBeforeNext(received.receives, asked, deps.chance.random()));
    return 'keep';
  };

  const target = deps.targets.find((known) => known.name === name);
  if (target === undefined) {
    telemetry.warn('a message is for a target that is no longer in the settings', { messageId: id, target: name });
    return keep();
  }
  const answered = usable(await secretsOf(deps, name));
  if (answered.kind === 'none') {
    telemetry.warn('a message waits, because it cannot be signed', {
      messageId: id,
      target: name,
      reason: answered.reason,
    });
    return keep();
  }

  const begun = clock.now();
  const body = new TextEncoder().encode(message.payload);
  const headers = signRequest(id, body, answered.secrets, begun);
  const answer = await deps.post({ url: target.url, headers, body, timeout: target.timeout, signal });
  const now = clock.now();
  telemetry.attempted({
    messageId: id,
    topic,
    target: name,
    attempt: received.receives,
    answer,
    duration: between(begun, now),
  });
  if (isDelivered(answer)) return 'done';
  return keep(answer.kind === 'answered' ? readRetryAfter(answer.retryAfter, now) : undefined);
}

/** Those of a target that got its secret a moment ago are not in the cache. */
async function secretsOf({ secrets }: DeliverDeps, target: string): Promise<SecretAnswer> {
  const name = secretNameOf(target);
  const known = await secrets.secretsOf(name, 'start');
  return known.kind === 'found' ? known : secrets.secretsOf(name, 'mismatch');
}

/** All or none: with one left out, a target that knows that one alone would refuse, and nobody would know why. */
function usable(answer: SecretAnswer): SecretAnswer {
  if (answer.kind === 'none' || answer.secrets.every(isSigningSecret)) return answer;
  return { kind: 'none', reason: 'a secret is not whsec_ and base64' };
}
