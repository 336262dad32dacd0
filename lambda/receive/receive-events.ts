/**
 * The events of a verified delivery: worked on before the answer, or queued and answered.
 *
 * Success is answered for what is committed (now, before or by a newer event), queued or parked, and where nothing is to be
 * done: there is no handler, or its source drops what is too old. A copy of an event whose
 * first one runs is queued until that one must have ended: if it dies, the copy applies the event, and if not, the copy
 * finds a duplicate.
 */
import type { Source } from '../authoring/define-sources.ts';
import { assertNever } from '../core/assert-never.ts';
import { toEnvelope } from '../core/envelope.ts';
import { isOncehookError } from '../core/errors.ts';
import type { InboundEvent } from '../core/event.ts';
import type { DeadLetters, EventsQueue } from '../core/event-ports.ts';
import type { EventOutcome, QueuedBecause } from '../core/outcome.ts';
import type { Clock, Invocation, Telemetry } from '../core/ports.ts';
import { type DurationMs, milliseconds, seconds } from '../core/time.ts';
import type { EventContext } from '../process/event-context.ts';
import type { ProcessEvent } from '../process/process-event.ts';
import { ruleFor } from '../process/rule-for.ts';
import type { IdentifiedItem } from './identify.ts';

export interface ReceiveEventsDeps {
  readonly processEvent: ProcessEvent;
  readonly events: EventsQueue;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** How an item ended, and after how long. */
export interface ItemEnding {
  readonly outcome: EventOutcome;
  readonly duration: DurationMs;
}

/** @returns the endings in the order of the items. */
export function receiveEvents(
  deps: ReceiveEventsDeps,
  source: Source,
  items: readonly IdentifiedItem[],
  invocation: Invocation,
): Promise<readonly ItemEnding[]> {
  return source.process === 'queued'
    ? queueItems(deps, source, items, 'by-choice')
    : workOnItems(deps, source, items, invocation);
}

/** One after another: two events of one delivery may concern one item, and would conflict. */
async function workOnItems(
  deps: ReceiveEventsDeps,
  source: Source,
  items: readonly IdentifiedItem[],
  invocation: Invocation,
): Promise<readonly ItemEnding[]> {
  const endings: ItemEnding[] = [];
  for (const [n, item] of items.entries()) {
    const begun = deps.clock.now();
    const outcome = item.kind === 'event' ? await workOn(deps, source, item.event, invocation) : unusable(item.reason);
    // No time for this one is none for those behind it: together they are queued while there is time for that.
    if (outcome.kind === 'too-little-time' && source.onFailure === 'own-retry') {
      return [...endings, ...(await queueItems(deps, source, items.slice(n), 'too-little-time'))];
    }
    endings.push({ outcome, duration: milliseconds(deps.clock.now() - begun) });
  }
  return endings;
}

async function queueItems(
  deps: ReceiveEventsDeps,
  source: Source,
  items: readonly IdentifiedItem[],
  because: QueuedBecause,
): Promise<readonly ItemEnding[]> {
  const begun = deps.clock.now();
  const wanted = items.flatMap((item) =>
    item.kind === 'event' && ruleFor(source, item.event.types) !== undefined ? [item.event] : [],
  );
  const places = new Map(wanted.map((event, place) => [event, place]));
  const accepted = await deps.events.sendAll(wanted.map((event) => toEnvelope(event)));
  const duration = milliseconds(deps.clock.now() - begun);
  return items.map((item) => {
    if (item.kind === 'unusable') return { outcome: unusable(item.reason), duration };
    const place = places.get(item.event);
    if (place === undefined) return { outcome: { kind: 'ignored' }, duration };
    return { outcome: accepted[place] === true ? queued(because) : NOT_QUEUED, duration };
  });
}

async function workOn(
  deps: ReceiveEventsDeps,
  source: Source,
  event: InboundEvent,
  invocation: Invocation,
): Promise<EventOutcome> {
  const outcome = await deps.processEvent(event, contextOf(deps, source, event), invocation);
  switch (outcome.kind) {
    case 'in-progress':
      return queueCopy(deps, event, outcome, 'in-progress', seconds(outcome.retryAfterSeconds));
    case 'claim-lost':
      return queueCopy(deps, event, outcome, 'claim-lost', SOON);
    case 'failed':
      // One that failed within an attempt was queued there, or could not be.
      return source.onFailure === 'ask-provider' || outcome.attempt > 0
        ? outcome
        : queueCopy(deps, event, outcome, 'failed', SOON);
    case 'processed':
    case 'duplicate':
    case 'superseded':
    case 'ignored':
    case 'queued':
    case 'parked':
    case 'expired':
    case 'already-parked':
    case 'retry-later':
    case 'too-little-time':
    case 'malformed':
    case 'store-down':
      return outcome;
    default:
      return assertNever(outcome);
  }
}

const contextOf = (deps: ReceiveEventsDeps, source: Source, event: InboundEvent): EventContext => ({
  rule: ruleFor(source, event.types),
  deadline: source.provider.deadline,
  olderThanWindow: source.olderThanWindow,
  postponedSince: undefined,
  sentAt: undefined,
  queue:
    source.onFailure === 'ask-provider' ? undefined : (delay, wait) => deps.events.send(toEnvelope(event, wait), delay),
  park: (reason, lastError) => deps.deadLetters.send({ ...toEnvelope(event), parked: { reason, lastError } }),
});

/** @returns `otherwise`, which asks the sender to come back, when the queue did not take it. */
async function queueCopy(
  deps: ReceiveEventsDeps,
  event: InboundEvent,
  otherwise: EventOutcome,
  because: QueuedBecause,
  delay: DurationMs,
): Promise<EventOutcome> {
  try {
    await deps.events.send(toEnvelope(event), delay);
    return queued(because);
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    deps.telemetry.warn('the event could not be queued', {
      source: event.source,
      eventId: event.eventId,
      reason: error.code,
    });
    return otherwise;
  }
}

const queued = (because: QueuedBecause): EventOutcome => ({ kind: 'queued', because, attempt: 0 });

const NOT_QUEUED: EventOutcome = { kind: 'store-down', reason: 'QUEUE_UNAVAILABLE' };

const unusable = (reason: string): EventOutcome => ({ kind: 'malformed', reason });

/** Whoever took the row is done within moments. */
const SOON = seconds(5);
