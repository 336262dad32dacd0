import type { Answer } from './answer.ts';
import type { PreparedDelivery } from './prepare-delivery.ts';

/** Prints what happens to the copies; one line a call of `answer`. */
export interface AnswerReport {
  begin(): void;
  answer(answer: Answer): void;
  end(): void;
}

export interface Sending {
  readonly url: string;
  readonly times: number;
  readonly delivery: PreparedDelivery;
}

type Print = (line: string) => void;

/** Columns for people. */
export function createTextReport({ url, times, delivery }: Sending, print: Print): AnswerReport {
  const tally = createTally();
  const [nWidth, idWidth] = [String(times).length, Math.max((delivery.eventId ?? '').length, 'event id'.length)];
  const row = (n: string, status: string, outcome: string, eventId: string, ms: string): void =>
    print(
      `${n.padStart(nWidth)}  ${status.padEnd(6)}  ${outcome.padEnd(OUTCOME_WIDTH)}  ${eventId.padEnd(idWidth)}  ${ms.padStart(6)}`,
    );

  return {
    begin() {
      const name = delivery.eventId === undefined ? 'an event without an id' : `event ${delivery.eventId}`;
      print(`${name} to ${url}${times === 1 ? '' : `, ${times} copies`}`);
    },
    answer(answer) {
      if (tally.isEmpty()) row('n', 'status', 'outcome', 'event id', 'ms');
      tally.add(answer);
      const { n, status, outcome, eventIds, durationMs } = answer;
      const shownId = eventIds.length > 1 ? `${eventIds.length} events` : (eventIds[0] ?? '-');
      row(String(n), String(status), outcome ?? '-', shownId, String(durationMs));
    },
    end() {
      const { answers, outcomes } = tally.sum();
      const parts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
      if (answers > 0) print(`${answers} ${answers === 1 ? 'answer' : 'answers'}: ${parts.join(', ')}`);
    },
  };
}

/** One JSON object a line: the answers, then the summary. */
export function createJsonReport({ url, times, delivery }: Sending, print: Print): AnswerReport {
  const tally = createTally();
  return {
    begin() {},
    answer(answer) {
      tally.add(answer);
      const { n, status, outcome, eventIds, durationMs } = answer;
      print(JSON.stringify({ kind: 'answer', n, status, outcome: outcome ?? null, eventIds, durationMs }));
    },
    end() {
      const eventId = delivery.eventId ?? null;
      print(JSON.stringify({ kind: 'summary', url, eventId, copies: times, ...tally.sum() }));
    },
  };
}

/** As long as the longest outcome, `store-unavailable`. */
const OUTCOME_WIDTH = 17;

function createTally() {
  const counts = new Map<string, number>();
  return {
    isEmpty: () => counts.size === 0,
    add({ outcome, status }: Answer): void {
      const label = outcome ?? `HTTP ${status}`;
      counts.set(label, (counts.get(label) ?? 0) + 1);
    },
    /** `processed` first, then the most frequent. */
    sum() {
      const sorted = [...counts].sort(
        ([one, ones], [other, others]) =>
          Number(other === 'processed') - Number(one === 'processed') || others - ones || (one < other ? -1 : 1),
      );
      return {
        answers: [...counts.values()].reduce((sum, count) => sum + count, 0),
        outcomes: Object.fromEntries(sorted),
      };
    },
  };
}
