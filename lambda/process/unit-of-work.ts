/**
 * What a handler asks for, gathered until the commit. Nothing here is sent.
 */
import type { HandlerResult, JsonValue, TransactWriteItem, Work } from '../core/handler.ts';
import { outboxId, sha256Hex } from '../core/inbox-key.ts';
import { stringifyJson } from '../core/json.ts';
import type { Claim, Invocation, OutboxMessage } from '../core/ports.ts';
import { findUnstorable } from '../core/storable.ts';
import type { Steps } from './steps.ts';
import { createWrites, invalidWork, type KeysOf } from './writes.ts';

/**
 * Items in one transaction.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const MAX_ITEMS_PER_COMMIT = 100;

/** What a handler may return, in bytes of JSON: it stays on the row for the whole window. */
export const MAX_RESULT_BYTES = 4096;

/** Longest topic and group, in characters: both become SQS message attributes. */
const MAX_LABEL_CHARACTERS = 256;

export interface UnitOfWorkOptions {
  /** Names of the inbox, outbox and sequences tables. */
  readonly reservedTables: readonly string[];
  readonly keysOf: KeysOf;
  /** 2 when the event has an order, else 1. */
  readonly ownItems: 1 | 2;
}

export interface UnitOfWork {
  readonly work: Work;
  readonly writes: readonly TransactWriteItem[];
  readonly messages: readonly OutboxMessage[];
}

export function createUnitOfWork(
  claim: Claim,
  invocation: Invocation,
  steps: Steps,
  options: UnitOfWorkOptions,
): UnitOfWork {
  const writes = createWrites(options.reservedTables, options.keysOf);
  const messages: OutboxMessage[] = [];

  const makeRoom = (doing: string): void => {
    const wanted = options.ownItems + writes.items.length + messages.length + 1;
    if (wanted > MAX_ITEMS_PER_COMMIT) {
      throw invalidWork(
        `${doing}: the commit would have ${wanted} items; at most ${MAX_ITEMS_PER_COMMIT} fit, ${options.ownItems} of them Oncehook's`,
      );
    }
  };
  const work: Work = {
    attempt: claim.attempts,
    signal: invocation.signal,
    write(item) {
      makeRoom('work.write');
      writes.add(item);
    },
    emit(topic, payload, { group } = {}) {
      makeRoom('work.emit');
      messages.push(toMessage(outboxId(claim.event.key, messages.length + 1), topic, payload, group));
    },
    step: (name, run, stepOptions = {}) => steps.run(name, run, stepOptions),
    objectKey: (name) => `${sha256Hex(claim.event.key).slice(0, 32)}/${name}`,
  };
  return { work, writes: writes.items, messages };
}

function toMessage(id: string, topic: string, payload: JsonValue, group: string | undefined): OutboxMessage {
  if (!isLabel(topic)) throw invalidWork(`work.emit: a topic is a text of 1 to ${MAX_LABEL_CHARACTERS} characters`);
  if (group !== undefined && !isLabel(group))
    throw invalidWork(`work.emit: a group is a text of 1 to ${MAX_LABEL_CHARACTERS} characters`);
  const problem = findUnstorable(payload, 'json', 'payload');
  if (problem !== undefined) throw invalidWork(`work.emit ${topic}: ${problem}`);
  return { id, topic, payload: stringifyJson(payload), group };
}

const isLabel = (text: unknown): boolean =>
  typeof text === 'string' && text.trim() !== '' && text.length <= MAX_LABEL_CHARACTERS;

/** @throws OncehookError `INVALID_WORK` for a result that cannot be remembered; the message names the field. */
export function checkResult(result: unknown): HandlerResult | undefined {
  if (result === undefined) return undefined;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    throw invalidWork('a handler returns an object to remember, or nothing');
  }
  const problem = findUnstorable(result, 'attribute', 'result');
  if (problem !== undefined) throw invalidWork(`the handler's result: ${problem}`);
  const bytes = Buffer.byteLength(stringifyJson(result));
  if (bytes > MAX_RESULT_BYTES)
    throw invalidWork(`the handler's result takes ${bytes} bytes; at most ${MAX_RESULT_BYTES} are remembered`);
  return { ...result };
}
