/**
 * What a handler asks for, gathered until the commit. Nothing here is sent.
 */
import { sizeOfValue } from '../core/attribute-size.ts';
import { type AttributeValue, encodeValue } from '../core/attribute-value.ts';
import type { Work } from '../core/handler.ts';
import { outboxId, sha256Hex } from '../core/inbox-key.ts';
import { encodePayload } from '../core/json-payload.ts';
import { largestRowBytes, MAX_ROW_BYTES } from '../core/owed-row-size.ts';
import type { Claim, EncodedWrite, Invocation, OutboxMessage } from '../core/ports.ts';
import type { Steps } from './steps.ts';
import { createWrites, invalidWork, type KeysOf } from './writes.ts';

/**
 * Items in one transaction.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const MAX_ITEMS_PER_COMMIT = 100;

/** What a handler may return, in bytes: it stays on the row for the whole window. */
const MAX_RESULT_BYTES = 4096;

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
  readonly writes: readonly EncodedWrite[];
  readonly messages: readonly OutboxMessage[];
  /**
   * Ends the handler's part: what asks for more from now on gets an error, because it would be
   * neither committed nor refused. Resolves when no step runs any more, with the names of those
   * that the handler did not wait for.
   */
  close(): Promise<readonly string[]>;
}

export function createUnitOfWork(
  claim: Claim,
  invocation: Invocation,
  steps: Steps,
  options: UnitOfWorkOptions,
): UnitOfWork {
  const writes = createWrites(options.reservedTables, options.keysOf);
  const messages: OutboxMessage[] = [];
  let isOpen = true;

  const checkOpen = (doing: string): void => {
    if (!isOpen) throw invalidWork(`${doing}: the handler has returned already; await everything it begins`);
  };
  const makeRoom = (doing: string): void => {
    checkOpen(doing);
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
    async step(name, run, stepOptions = {}) {
      checkOpen('work.step');
      return steps.run(name, run, stepOptions);
    },
    objectKey: (name) => `${sha256Hex(claim.event.key).slice(0, 32)}/${name}`,
  };
  return {
    work,
    writes: writes.items,
    messages,
    async close() {
      isOpen = false;
      return steps.settle();
    },
  };
}

function toMessage(id: string, topic: string, payload: unknown, group: string | undefined): OutboxMessage {
  if (!isLabel(topic)) throw invalidWork(`work.emit: a topic is a text of 1 to ${MAX_LABEL_CHARACTERS} characters`);
  if (group !== undefined && !isLabel(group)) {
    throw invalidWork(`work.emit: a group is a text of 1 to ${MAX_LABEL_CHARACTERS} characters`);
  }
  const message = { id, topic, payload: encodePayload(payload, `work.emit ${topic}: payload`), group };
  const bytes = largestRowBytes(message);
  if (bytes > MAX_ROW_BYTES) {
    throw invalidWork(`work.emit ${topic}: the message's row would take ${bytes} bytes; at most ${MAX_ROW_BYTES} fit`);
  }
  return message;
}

const isLabel = (text: unknown): boolean =>
  typeof text === 'string' && text.isWellFormed() && text.trim() !== '' && text.length <= MAX_LABEL_CHARACTERS;

/** @throws OncehookError `INVALID_WORK` for a result that cannot be remembered; the message names the field. */
export function encodeResult(result: unknown): AttributeValue | undefined {
  if (result === undefined) return undefined;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    throw invalidWork('a handler returns an object to remember, or nothing');
  }
  const encoded = encodeValue(result, "the handler's result");
  if (!('M' in encoded)) throw invalidWork('a handler returns an object to remember, or nothing');
  const bytes = sizeOfValue(encoded);
  if (bytes > MAX_RESULT_BYTES) {
    throw invalidWork(`the handler's result takes ${bytes} bytes; at most ${MAX_RESULT_BYTES} are remembered`);
  }
  return encoded;
}
