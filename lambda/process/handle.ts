/**
 * Handle: runs the user's code for a claimed event and says how it ended.
 */

import type { AttributeValue } from '../core/attribute-value.ts';
import { isOncehookError } from '../core/errors.ts';
import type { EventRule, WebhookEvent } from '../core/handler.ts';
import { isPermanent, isRetryLater, Permanent } from '../core/handler-errors.ts';
import { type EventOrder, readOrder } from '../core/order.ts';
import type { Claim } from '../core/ports.ts';
import { toIso } from '../core/time.ts';
import { encodeResult, type UnitOfWork } from './unit-of-work.ts';
import { invalidWork } from './writes.ts';

/** How an attempt failed. */
export type AttemptFailure =
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'permanent'; readonly error: unknown }
  | { readonly kind: 'retry-later'; readonly error: unknown; readonly seconds: number };

export type Handled =
  | { readonly kind: 'done'; readonly result: AttributeValue | undefined; readonly order: EventOrder | undefined }
  | AttemptFailure;

export async function handle<Body>(rule: EventRule<Body>, claim: Claim, unit: UnitOfWork): Promise<Handled> {
  let handled: Handled;
  try {
    const event = await toWebhookEvent(rule, claim);
    const order = rule.order === undefined ? undefined : readOrder(rule.order, event);
    const result = encodeResult(await rule.handle(event, unit.work));
    handled = { kind: 'done', result, order };
  } catch (error) {
    handled = toFailure(error);
  }
  // Also after a failure: a step that runs on would be called a second time by the next attempt.
  const [forgotten] = await unit.close();
  return handled.kind === 'done' && forgotten !== undefined
    ? toFailure(invalidWork(`step ${forgotten} was still running when the handler returned; await it`))
    : handled;
}

/** Sorts an error: some can never pass, some ask for time, the rest is an ordinary failure. */
export function toFailure(error: unknown): AttemptFailure {
  if (isRetryLater(error)) return { kind: 'retry-later', error, seconds: error.seconds };
  if (isPermanent(error)) return { kind: 'permanent', error };
  if (isOncehookError(error) && error.code === 'INVALID_WORK') return { kind: 'permanent', error };
  return { kind: 'failed', error };
}

async function toWebhookEvent<Body>(rule: EventRule<Body>, claim: Claim): Promise<WebhookEvent<Body>> {
  const { event } = claim;
  return {
    source: event.source,
    id: event.eventId,
    type: event.types[0],
    body: await validated(rule, event.body),
    rawBody: event.rawBody,
    headers: event.headers,
    receivedAt: toIso(claim.receivedAt),
    occurredAt: event.occurredAt === undefined ? undefined : toIso(event.occurredAt),
  };
}

// Without a schema the body is what the handler's type says it is: the handler's own claim.
async function validated<Body>(rule: EventRule<Body>, body: unknown): Promise<Body> {
  if (rule.schema === undefined) return body as Body;
  const outcome = await rule.schema['~standard'].validate(body);
  if (outcome.issues === undefined) return outcome.value;
  const [issue] = outcome.issues;
  throw new Permanent(
    `the body does not fit the schema at ${pathOf(issue?.path)}: ${outcome.issues.length} problem(s)`,
  );
}

// The path alone: a validator's message may quote the value.
const pathOf = (path: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined): string =>
  path === undefined || path.length === 0
    ? 'its root'
    : path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
