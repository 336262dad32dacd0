/**
 * Work: a queued event, from its message to its end.
 *
 * The message is the event's safety: it is deleted only when the event is finished, or kept somewhere else. What was
 * verified and identified before it was queued is not looked at again. The same claim → handle → commit as everywhere
 * decides what becomes of it, so a message that comes twice, or beside a redelivery, is a duplicate.
 *
 * Attempts are counted on the row and never by receives: a receive may be a throttled invocation, a wait for another's
 * lease, or DynamoDB that does not answer, and none of these is the event's fault.
 *
 * A crash leaves the message where it is. It becomes visible when the queue's time-out ends, which is longer than any
 * invocation lives, and so after the lease of what died.
 */
import type { Source, Sources } from '../authoring/define-sources.ts';
import { assertNever } from '../core/assert-never.ts';
import { retryWait } from '../core/backoff.ts';
import { type Envelope, fromEnvelope, isStored } from '../core/envelope.ts';
import { decodeEnvelope } from '../core/envelope-codec.ts';
import { isOncehookError } from '../core/errors.ts';
import type { InboundEvent } from '../core/event.ts';
import type { BodyStore, DeadLetters, EventsQueue } from '../core/event-ports.ts';
import type { EventOutcome, ParkReason } from '../core/outcome.ts';
import type { Chance, Clock, Invocation, Telemetry } from '../core/ports.ts';
import type { MessageFate, MessageVisibility, QueueMessage } from '../core/queue-message.ts';
import { between, type DurationMs, hours, milliseconds, plus, seconds } from '../core/time.ts';
import type { EventContext } from '../process/event-context.ts';
import type { ProcessEvent } from '../process/process-event.ts';
import { ruleFor } from '../process/rule-for.ts';
import { typesAt } from '../providers/read-location.ts';
import { inflate } from '../receive/inflate.ts';
import { parseBody } from '../receive/parse-body.ts';

export interface WorkDeps {
  readonly sources: Sources;
  readonly processEvent: ProcessEvent;
  readonly events: EventsQueue;
  readonly deadLetters: DeadLetters;
  readonly bodies: BodyStore;
  readonly visibility: MessageVisibility;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly telemetry: Telemetry;
  /** The longest wait after the first failed attempt. */
  readonly retryAfter: DurationMs;
}

/** Whoever took the row is done within moments. */
const SOON = seconds(5);

/** What is unreadable now may be what a newer version sent before it was rolled back: time to deploy it again. */
const UNREADABLE_WAIT = hours(1);

export type Work = (message: QueueMessage, invocation: Invocation) => Promise<MessageFate>;

export function createWork(deps: WorkDeps): Work {
  return async (message, invocation) => {
    const keep = async (wait: DurationMs): Promise<MessageFate> => {
      await deps.visibility.hide(message, wait);
      return 'keep';
    };

    const envelope = read(deps, message);
    if (envelope === undefined) return keep(UNREADABLE_WAIT);
    const { notBefore } = envelope;
    const now = deps.clock.now();
    if (notBefore !== undefined && notBefore > now) return keep(between(now, notBefore));

    const outcome = await workOn(deps, envelope, message, invocation);
    const { source, eventId, types } = envelope;
    deps.telemetry.eventEnded(
      { source, eventId, type: types[0], secretIndex: undefined },
      outcome,
      between(now, deps.clock.now()),
    );
    return settle(deps, message, envelope, outcome, keep);
  };
}

function read(deps: WorkDeps, message: QueueMessage): Envelope | undefined {
  try {
    return decodeEnvelope(message.body);
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    deps.telemetry.warn('a message of the events queue cannot be read', {
      messageId: message.messageId,
      reason: error.message,
    });
    return undefined;
  }
}

/** Nothing is thrown for a queue or a store that does not answer: the message waits. */
async function workOn(
  deps: WorkDeps,
  envelope: Envelope,
  message: QueueMessage,
  invocation: Invocation,
): Promise<EventOutcome> {
  try {
    const source = deps.sources.get(envelope.source);
    if (source === undefined) return await parkUnread(deps, envelope, 'unknown-source');
    // Only what has a handler is queued. It is not there after a roll-back, or was renamed: no reason to lose the event.
    if (ruleFor(source, envelope.types) === undefined) return await parkUnread(deps, envelope, 'no-handler');
    const opened = await open(deps, source, envelope);
    if (opened.kind !== 'event') return await parkUnread(deps, envelope, opened.kind);
    return await deps.processEvent(opened.event, contextOf(deps, source, envelope, message), invocation);
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    deps.telemetry.warn('the event could not be worked on', {
      source: envelope.source,
      eventId: envelope.eventId,
      reason: error.code,
      error: error.message,
    });
    return { kind: 'store-down', reason: error.code };
  }
}

type Opened = { readonly kind: 'event'; readonly event: InboundEvent } | { readonly kind: 'body-gone' | 'malformed' };

/** The event in the envelope, its part of the delivery parsed as it was when it was identified. */
async function open(deps: WorkDeps, source: Source, envelope: Envelope): Promise<Opened> {
  const rawBody = isStored(envelope.body) ? await deps.bodies.get(envelope.body) : envelope.body.bytes;
  if (rawBody === undefined) return { kind: 'body-gone' };
  // The limit was held when it was received; a lower one since then is no reason to lose the event.
  const inflated = await inflate(rawBody, envelope.contentEncoding, MOST_BYTES);
  if (inflated.kind !== 'inflated') return { kind: 'malformed' };
  const parsed = parseBody(source.provider, inflated.bytes);
  if (parsed.kind === 'malformed') return parsed;
  const { itemIndex } = envelope;
  const body = parsed.items[itemIndex ?? 0];
  // The preset may split a batch in another way by now, and another item may be in this one's place.
  const isAnother =
    itemIndex !== undefined && typesAt(source.provider, envelope.headers, body)[0] !== envelope.types[0];
  return isAnother ? { kind: 'malformed' } : { kind: 'event', event: fromEnvelope(envelope, rawBody, body) };
}

/** Above every `maxBodyBytes` there can be. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Parks what has no row, because nobody could begin to work on it. */
async function parkUnread(deps: WorkDeps, envelope: Envelope, reason: ParkReason): Promise<EventOutcome> {
  await park(deps, envelope, reason, undefined);
  return { kind: 'parked', reason, attempt: 0 };
}

const contextOf = (deps: WorkDeps, source: Source, envelope: Envelope, message: QueueMessage): EventContext => ({
  rule: ruleFor(source, envelope.types),
  deadline: undefined,
  olderThanWindow: envelope.force ? 'process' : olderThanWindow(source),
  sentAt: message.sentAt,
  postponedSince: envelope.postponedSince,
  // The message itself comes again.
  queue: undefined,
  park: (reason, lastError) => park(deps, envelope, reason, lastError),
});

/** Whatever is dropped at the door, this was acknowledged: that it grew old in our queue is no reason to lose it. */
const olderThanWindow = (source: Source): EventContext['olderThanWindow'] =>
  source.olderThanWindow === 'drop' ? 'park' : source.olderThanWindow;

/** In the form in which a redrive puts it back: as it first was. */
const park = (
  deps: WorkDeps,
  envelope: Envelope,
  reason: ParkReason,
  lastError: Parameters<EventContext['park']>[1],
): Promise<void> =>
  deps.deadLetters.send({
    ...envelope,
    notBefore: undefined,
    postponedSince: undefined,
    force: false,
    parked: { reason, lastError },
  });

async function settle(
  deps: WorkDeps,
  message: QueueMessage,
  envelope: Envelope,
  outcome: EventOutcome,
  keep: (wait: DurationMs) => Promise<MessageFate>,
): Promise<MessageFate> {
  const backOff = (attempt: number): DurationMs => retryWait(attempt, deps.retryAfter, deps.chance.random());
  switch (outcome.kind) {
    case 'processed':
    case 'duplicate':
    case 'superseded':
    case 'ignored':
    case 'queued':
    case 'parked':
    case 'already-parked':
    case 'expired':
      return 'done';
    case 'in-progress':
      return keep(seconds(outcome.retryAfterSeconds));
    case 'claim-lost':
    case 'too-little-time':
      return keep(SOON);
    case 'failed':
      return keep(backOff(outcome.attempt > 0 ? outcome.attempt : message.receives));
    case 'store-down':
    case 'malformed':
      // Never at once: what is down needs longer than a poll takes.
      return keep(milliseconds(SOON + backOff(message.receives)));
    case 'retry-later':
      return postpone(deps, envelope, seconds(outcome.retryAfterSeconds), keep);
    default:
      return assertNever(outcome);
  }
}

/** A new message, because a message cannot be changed and none is hidden for a day; the old one goes after it. */
async function postpone(
  deps: WorkDeps,
  envelope: Envelope,
  wait: DurationMs,
  keep: (wait: DurationMs) => Promise<MessageFate>,
): Promise<MessageFate> {
  const now = deps.clock.now();
  try {
    await deps.events.send(
      { ...envelope, notBefore: plus(now, wait), postponedSince: envelope.postponedSince ?? now },
      wait,
    );
    return 'done';
  } catch (error) {
    if (!isOncehookError(error)) throw error;
    return keep(wait);
  }
}
