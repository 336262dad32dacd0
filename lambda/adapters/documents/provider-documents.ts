/**
 * Certificates and keys of providers, remembered, and asked for only so often.
 *
 * Before a signature is verified, what says which document is needed is anybody's claim: a flood of
 * forged deliveries names a new document in each. So a budget bounds the exchanges of an instance with
 * each provider, whoever causes them; an answer that there is no such document is remembered too; and
 * documents that are there do not depend on the budget: while it is used up, a remembered one goes on
 * to count although it is no longer fresh. What a flood can do is to delay a document that was never
 * read here; those deliveries are answered 503 and come again.
 */
import type { DocumentAnswer, DocumentRequest, ProviderDocuments } from '../../core/document-ports.ts';
import type { Clock } from '../../core/ports.ts';
import { between, type DurationMs, type EpochMs, hours, seconds } from '../../core/time.ts';
import { type Budget, createBudget } from '../budget.ts';
import type { Exchange } from './https-request.ts';

/** A key that the provider took back stays valid this long at most. */
const FRESH_FOR = hours(1);

/** While the provider does not answer, or the budget is used up, what it said last still counts, for this long. */
const USABLE_FOR = hours(24);

/** How long "there is no such document" is believed. */
const ABSENT_FOR = seconds(300);

/** Exchanges with one provider that may come at once. */
export const BUDGET = 5;

/** After so long one more is allowed: a flood costs a request every few seconds an instance. */
export const BUDGET_GROWS_EVERY = seconds(5);

/** Documents that are remembered. Genuine ones are a handful, and each use makes one young again. */
const MAX_REMEMBERED = 32;

interface Remembered {
  readonly at: EpochMs;
  readonly answer: DocumentAnswer;
}

export function createProviderDocuments(exchange: Exchange, clock: Clock): ProviderDocuments {
  /** In the order of last use. */
  const found = new Map<string, Remembered>();
  const absent = new Map<string, Remembered>();
  const running = new Map<string, Promise<DocumentAnswer>>();
  /** Presets name the hosts, so there are as many as there are providers. */
  const budgets = new Map<string, Budget>();

  function spend({ hosts }: DocumentRequest): boolean {
    const named = hosts.join(' ');
    const budget = budgets.get(named) ?? createBudget(BUDGET, BUDGET_GROWS_EVERY, clock);
    budgets.set(named, budget);
    return budget.spend();
  }

  async function ask(request: DocumentRequest, known: Remembered | undefined): Promise<DocumentAnswer> {
    const answer = spend(request) ? await exchange(request) : USED_UP;
    const now = clock.now();
    if (answer.kind === 'found') remember(found, request.name, { at: now, answer });
    if (answer.kind === 'absent') {
      found.delete(request.name);
      remember(absent, request.name, { at: now, answer });
    }
    const stillCounts = known !== undefined && isWithin(known, USABLE_FOR, now);
    return answer.kind === 'unavailable' && stillCounts ? known.answer : answer;
  }

  return {
    async read(request) {
      const { name } = request;
      const now = clock.now();
      const known = found.get(name);
      if (known !== undefined) remember(found, name, known);
      if (known !== undefined && isWithin(known, FRESH_FOR, now)) return known.answer;
      const missing = absent.get(name);
      if (missing !== undefined && isWithin(missing, ABSENT_FOR, now)) return missing.answer;

      const asking = running.get(name) ?? ask(request, known).finally(() => running.delete(name));
      running.set(name, asking);
      return asking;
    },
    call: async (request) => (spend(request) ? await exchange(request) : USED_UP),
  };
}

const USED_UP: DocumentAnswer = { kind: 'unavailable', reason: 'providers are asked no more often' };

const isWithin = ({ at }: Remembered, duration: DurationMs, now: EpochMs): boolean => between(at, now) < duration;

function remember(documents: Map<string, Remembered>, name: string, document: Remembered): void {
  documents.delete(name);
  documents.set(name, document);
  const [oldest] = documents.keys();
  if (documents.size > MAX_REMEMBERED && oldest !== undefined) documents.delete(oldest);
}
