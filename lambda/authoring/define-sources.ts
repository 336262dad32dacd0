import { OncehookError } from '../core/errors.ts';
import type { EventRule, Handler, WebhookEvent } from '../core/handler.ts';
import { seconds } from '../core/time.ts';
import type { AnyPreset, KnownTypes } from '../providers/preset.ts';
import { publicUrlProblem } from './public-url-problem.ts';
import { ruleProblems } from './rule-problems.ts';

/** What runs for one event type: a handler, or a handler with rules. */
export type EventEntry<Body> = Handler<Body> | EventRule<Body>;

/** A source as its author writes it; `Bodies` has the body type of each event type. */
export interface SourceDefinition<Bodies extends Readonly<Record<string, unknown>>> {
  /** How deliveries are verified and identified: `stripe()`, `github()`, … */
  readonly provider: AnyPreset;
  /**
   * The handler of each event type. An event of a type without a handler is acknowledged as
   * `ignored` and leaves nothing behind.
   */
  readonly on: { readonly [Type in keyof Bodies]: EventEntry<Bodies[Type]> };
  /**
   * Names the event instead of the provider's id, before the claim: for one change that is
   * sent under two ids, or where another field is more to be trusted.
   */
  readonly id?: (event: IdentifiableEvent) => string;
  /** Seconds that a signed timestamp may be away from now, instead of the preset's. */
  readonly toleranceSeconds?: number;
  /**
   * `inline`: the handler runs before the answer. `queued`: the answer is success as soon as the event is durably
   * queued, and the handler runs after it.
   *
   * @default `queued` for a provider that never sends again, sends several events in one delivery or waits a few
   * seconds at most for an answer; else `inline`
   */
  readonly process?: 'inline' | 'queued';
  /**
   * After a failed attempt. `own-retry`: the event goes to the events queue, and the answer is success.
   * `ask-provider`: the answer is 500, and the provider's redelivery is the next attempt.
   *
   * @default 'own-retry'
   */
  readonly onFailure?: 'own-retry' | 'ask-provider';
  /**
   * An event that may be older than the dedup window and is not remembered: kept in the dead-letter queue for somebody
   * to decide, applied all the same, or dropped.
   *
   * @default 'park'
   */
  readonly olderThanWindow?: 'park' | 'process' | 'drop';
  /**
   * The webhook's URL exactly as it was given to the provider, for those that sign it (Square, HubSpot,
   * Twilio). What a request says of its own host and path is not believed; its query is added where none is given here.
   */
  readonly publicUrl?: string;
}

/** What an `id` override may look at. */
export type IdentifiableEvent = Pick<WebhookEvent, 'source' | 'id' | 'type' | 'body' | 'headers'>;

/** A source as the receiver uses it: every entry is a rule. */
export interface Source {
  readonly name: string;
  readonly provider: AnyPreset;
  readonly rules: ReadonlyMap<string, EventRule<never>>;
  readonly id: ((event: IdentifiableEvent) => string) | undefined;
  readonly toleranceSeconds: number | undefined;
  readonly process: 'inline' | 'queued';
  readonly onFailure: 'own-retry' | 'ask-provider';
  readonly olderThanWindow: 'park' | 'process' | 'drop';
  readonly publicUrl: string | undefined;
}

export type Sources = ReadonlyMap<string, Source>;

/** Longest source name; it is part of every inbox key. */
export const MAX_SOURCE_NAME_LENGTH = 40;

const SOURCE_OPTIONS = [
  'provider',
  'on',
  'id',
  'toleranceSeconds',
  'publicUrl',
  'process',
  'onFailure',
  'olderThanWindow',
];

const WORDS = {
  process: ['inline', 'queued'],
  onFailure: ['own-retry', 'ask-provider'],
  olderThanWindow: ['park', 'process', 'drop'],
} as const;

/** A handler, a cold start and a commit rarely fit into less. */
const SHORT_DEADLINE = seconds(5);

/**
 * Declares the integrations. Each key is the source's name and the last part of its URL.
 *
 * @example
 * export const sources = defineSources({
 *   stripe: { provider: stripe(), on: { 'invoice.paid': creditInvoice } },
 * });
 * @throws OncehookError `CONFIG_INVALID` naming every definition that is wrong.
 */
export function defineSources<
  const Bodies extends Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  const Presets extends Readonly<Record<string, AnyPreset>> = Readonly<Record<string, AnyPreset>>,
>(
  sources: { readonly [Name in keyof Bodies]: SourceDefinition<Bodies[Name]> } & {
    readonly [Name in keyof Presets]: TypesOffered<Presets[Name]>;
  },
): Sources;
export function defineSources(
  sources: Readonly<Record<string, SourceDefinition<Readonly<Record<string, never>>>>>,
): Sources {
  const problems: string[] = [];
  const defined = new Map<string, Source>();
  for (const [name, definition] of Object.entries(sources)) {
    problems.push(...problemsOf(name, definition));
    const rules = Object.entries(definition.on ?? {}).map(([type, entry]) => [type, toRule(entry)] as const);
    defined.set(name, {
      name,
      provider: definition.provider,
      rules: new Map(rules),
      id: definition.id,
      toleranceSeconds: definition.toleranceSeconds,
      process: definition.process ?? defaultProcess(definition.provider),
      onFailure: definition.onFailure ?? 'own-retry',
      olderThanWindow: definition.olderThanWindow ?? 'park',
      publicUrl: definition.publicUrl,
    });
  }
  if (defined.size === 0) problems.push('no source is defined');
  if (problems.length > 0) throw new OncehookError('CONFIG_INVALID', problems.join('; '), { retryable: false });
  return defined;
}

/** Looks at a preset that may be missing or of another kind: such a source is refused with the others. */
function defaultProcess(provider: Partial<AnyPreset> | undefined): 'inline' | 'queued' {
  const { redelivers = true, batch, deadline } = provider ?? {};
  return !redelivers || batch !== undefined || (deadline !== undefined && deadline <= SHORT_DEADLINE)
    ? 'queued'
    : 'inline';
}

/** Lets an editor offer the types that the preset knows; it asks nothing of what is written. */
interface TypesOffered<Preset extends AnyPreset> {
  readonly provider: Preset;
  readonly on: { readonly [Type in TypesOf<Preset>]?: unknown };
}

type TypesOf<Preset> = Preset extends KnownTypes<infer Type> ? (string extends Type ? never : Type) : never;

const toRule = (entry: EventEntry<never>): EventRule<never> =>
  typeof entry === 'function' ? { handle: entry } : entry;

function problemsOf(name: string, definition: SourceDefinition<Readonly<Record<string, never>>>): readonly string[] {
  const problems: string[] = [];
  const say = (problem: string) => problems.push(`source ${JSON.stringify(name)}: ${problem}`);

  if (!/^[a-z0-9-]+$/.test(name) || name.length > MAX_SOURCE_NAME_LENGTH) {
    say(`a name is 1 to ${MAX_SOURCE_NAME_LENGTH} of a-z, 0-9 and -`);
  }
  for (const option of Object.keys(definition)) {
    if (!SOURCE_OPTIONS.includes(option)) say(`unknown option ${option}; known are ${SOURCE_OPTIONS.join(', ')}`);
  }
  if (definition.provider === undefined) say('provider is missing');
  else if (typeof definition.provider !== 'object') say('provider is what a preset returns: stripe(), not stripe');
  if (definition.id !== undefined && typeof definition.id !== 'function') say('id is a function of the event');
  const tolerance = definition.toleranceSeconds;
  if (tolerance !== undefined && (!Number.isInteger(tolerance) || tolerance < 1)) {
    say(`toleranceSeconds is a whole number of at least 1, got ${tolerance}`);
  }
  for (const [option, words] of Object.entries(WORDS)) {
    const given = definition[option as keyof typeof WORDS];
    if (given !== undefined && !words.some((word) => word === given)) {
      say(`${option} is ${words.map((word) => `'${word}'`).join(' or ')}, got ${JSON.stringify(given)}`);
    }
  }
  if (definition.process === 'inline' && definition.provider?.redelivers === false) {
    say(`process 'inline' would lose events: ${definition.provider.name} never sends an event again by itself`);
  }
  const process = definition.process ?? defaultProcess(definition.provider);
  if (definition.onFailure === 'ask-provider' && process === 'queued') {
    say("onFailure 'ask-provider' needs process 'inline': a queued event is answered before it can fail");
  }
  const urlProblem = publicUrlProblem(definition);
  if (urlProblem !== undefined) say(urlProblem);
  if (Object.keys(definition.on ?? {}).length === 0) say('`on` has no event type');
  for (const [type, entry] of Object.entries(definition.on ?? {})) {
    for (const problem of ruleProblems(entry)) say(`event type ${JSON.stringify(type)} ${problem}`);
  }
  return problems;
}
