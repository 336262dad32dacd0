import { describe, expect, it } from 'vitest';
import { createTelemetry } from '../../../lambda/adapters/telemetry/telemetry.ts';
import type { EventOutcome } from '../../../lambda/core/outcome.ts';
import type { EndedEvent } from '../../../lambda/core/ports.ts';
import { milliseconds } from '../../../lambda/core/time.ts';
import { collectWrittenLines } from '../../support/written-lines.ts';

const EVENT: EndedEvent = { source: 'shop', eventId: 'e1', type: 'note', secretIndex: 0 };

describe('what is said of an event', () => {
  const written = collectWrittenLines();

  const say = (outcome: EventOutcome, event: Partial<EndedEvent> = {}) => {
    createTelemetry().eventEnded({ ...EVENT, ...event }, outcome, milliseconds(3));
    const lines: readonly Record<string, unknown>[] = written.map((line) => JSON.parse(line));
    return {
      line: lines.find((fields) => 'outcome' in fields),
      metrics: lines.find((fields) => '_aws' in fields),
    };
  };

  it.each([0, 1])('names the secret that its signature matched by its place: %d', (secretIndex) => {
    expect(say({ kind: 'processed', attempt: 1 }, { secretIndex }).line).toMatchObject({
      outcome: 'processed',
      eventId: 'e1',
      eventType: 'note',
      secretIndex,
    });
  });

  it('counts an item of a batch that names no event as rejected, and as nothing else', () => {
    const { line, metrics } = say({ kind: 'malformed', reason: 'the event has no type' }, { type: undefined });

    expect(line).toMatchObject({ level: 'WARN', outcome: 'malformed', reason: 'the event has no type' });
    expect(line).not.toHaveProperty('eventType');
    expect(metrics).toMatchObject({ Rejected: 1, source: 'shop' });
    expect(metrics).not.toHaveProperty('Received');
    expect(metrics).not.toHaveProperty('Failed');
  });

  const error = { name: 'Error', message: 'boom' };
  it.each<[EventOutcome, readonly string[]]>([
    [{ kind: 'processed', attempt: 1 }, ['Processed']],
    [{ kind: 'duplicate', bodyMismatch: false }, ['Duplicates']],
    [{ kind: 'duplicate', bodyMismatch: true }, ['Duplicates', 'BodyMismatch']],
    [{ kind: 'superseded', attempt: 1 }, ['Superseded']],
    [{ kind: 'ignored' }, []],
    [{ kind: 'in-progress', retryAfterSeconds: 1 }, ['InProgress']],
    [{ kind: 'queued', because: 'by-choice', attempt: 0 }, ['Queued']],
    [{ kind: 'queued', because: 'failed', attempt: 1, error }, ['Queued', 'Failed']],
    [{ kind: 'queued', because: 'in-progress', attempt: 0 }, ['Queued', 'InProgress']],
    [{ kind: 'parked', reason: 'max-attempts', attempt: 5, error }, ['Parked', 'Failed']],
    [{ kind: 'parked', reason: 'unknown-source', attempt: 0 }, ['Parked']],
    [{ kind: 'expired' }, ['Expired']],
    [{ kind: 'failed', attempt: 1, error }, ['Failed']],
    [{ kind: 'store-down', reason: 'STORE_THROTTLED' }, ['Failed']],
    [{ kind: 'claim-lost' }, []],
    [{ kind: 'too-little-time' }, []],
  ])('counts %j once, and as received only where it came from its provider', (outcome, expected) => {
    const countsOf = (origin: 'provider' | 'events-queue'): readonly string[] => {
      written.length = 0;
      createTelemetry(origin).eventEnded(EVENT, outcome, milliseconds(3));
      const counts = written.map((line) => JSON.parse(line)).find((fields) => '_aws' in fields) ?? {};
      return Object.keys(counts).filter((name) => /^[A-Z]/.test(name) && counts[name] === 1);
    };

    expect(countsOf('provider').toSorted()).toEqual(['Received', ...expected].toSorted());
    expect(countsOf('events-queue').toSorted()).toEqual(expected.toSorted());
  });

  it('measures an attempt, by source and in total', () => {
    createTelemetry().attemptMeasured('shop', {
      fromLapsed: true,
      handler: milliseconds(7),
      commit: milliseconds(9),
      conflicts: 2,
    });
    createTelemetry().attemptMeasured('shop', {
      fromLapsed: false,
      handler: milliseconds(1),
      commit: undefined,
      conflicts: 0,
    });

    const [full, least] = written.map((line) => JSON.parse(line));
    expect(full).toMatchObject({ source: 'shop', HandlerMs: 7, CommitMs: 9, Takeovers: 1, CommitConflicts: 2 });
    expect(full._aws.CloudWatchMetrics[0].Dimensions).toEqual([['source'], []]);
    expect(Object.keys(least).filter((name) => /^[A-Z]/.test(name))).toEqual(['HandlerMs']);
  });

  it.each([
    ['x'.repeat(101), 'x'.repeat(100)],
    [`${'x'.repeat(99)}🚢`, 'x'.repeat(99)],
  ])('shows 100 characters of its type and never half of one', (type, shown) => {
    expect(say({ kind: 'ignored' }, { type }).line).toMatchObject({ eventType: shown });
  });
});
