import { inboxKey } from '../lambda/core/inbox-key.ts';
import type { Call } from '../local/faults/fault.ts';

/** Where in an attempt at an event a call stands. */
export type Moment = 'claim' | 'take-over' | 'step' | 'commit' | 'queue' | 'park' | 'release' | 'read' | 'other';

export function momentOf({ action, input }: Call): Moment {
  const update = String(input['UpdateExpression'] ?? '');
  switch (action) {
    case 'PutItem':
      return 'claim';
    case 'TransactWriteItems':
      return 'commit';
    case 'GetItem':
      return 'read';
    case 'UpdateItem':
      if (update.includes('steps.#step')) return 'step';
      if (update.includes('lastError = :error')) return 'release';
      return update.includes('leaseUntilMs = :lease') ? 'take-over' : 'other';
    case 'SendMessage':
    case 'SendMessageBatch':
      return valueAt(envelopeOf(input), 'reason') === undefined ? 'queue' : 'park';
    default:
      return 'other';
  }
}

/**
 * The inbox key of the event or message that a call is about: the row it writes or reads, the first item of its
 * transaction, or the event in its first message.
 */
export function keyOf({ service, input }: Call): string | undefined {
  if (service === 'sqs') {
    const { source, eventId } = envelopeOf(input);
    return source === undefined || eventId === undefined ? undefined : inboxKey(String(source), String(eventId));
  }
  const transaction = input['TransactItems'];
  const first = Array.isArray(transaction) ? valueAt(transaction[0], 'Update') : input;
  const id = valueAt(valueAt(first, 'Key') ?? valueAt(first, 'Item'), 'id');
  const text = valueAt(id, 'S');
  return typeof text === 'string' ? text : undefined;
}

/** The entries of a batch. */
export const entriesOf = (input: Call['input']): readonly unknown[] => {
  const entries = input['Entries'];
  return Array.isArray(entries) ? entries : [];
};

export const valueAt = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined;

/** The fields of the first message, as far as it is an event's. */
function envelopeOf(input: Call['input']): Readonly<Record<string, unknown>> {
  const body = valueAt(entriesOf(input)[0] ?? input, 'MessageBody');
  if (typeof body !== 'string' || !body.startsWith('{')) return {};
  const fields: unknown = JSON.parse(body);
  return typeof fields === 'object' && fields !== null ? { ...fields } : {};
}
