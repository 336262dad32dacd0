import { assertNever } from '../../core/assert-never.ts';
import { isStored } from '../../core/envelope.ts';
import { type EpochMs, toIso } from '../../core/time.ts';
import { type DeadLetter, identityOf, reasonOf } from '../dead-letters/read-dead-letter.ts';
import { printable } from '../printable.ts';

/** A message for scripts, without its body. */
export function letterAsJson(letter: DeadLetter) {
  const { messageId, sentAt, receives } = letter.message;
  const common = { messageId, sentAt: iso(sentAt), receives };
  switch (letter.kind) {
    case 'event': {
      const { envelope } = letter;
      const { body } = envelope;
      return {
        kind: 'event',
        source: envelope.source,
        eventId: envelope.eventId,
        types: envelope.types,
        reason: envelope.parked?.reason ?? null,
        lastError: envelope.parked?.lastError ?? null,
        receivedAt: toIso(envelope.receivedAt),
        eventTime: iso(envelope.occurredAt),
        itemIndex: envelope.itemIndex ?? null,
        contentEncoding: envelope.contentEncoding ?? null,
        headers: envelope.headers,
        body: isStored(body) ? { bucket: body.bucket, key: body.key } : { bytes: body.bytes.length },
        ...common,
      };
    }
    case 'outbox':
      return {
        kind: 'outbox',
        id: letter.name.id,
        topic: letter.name.topic,
        ...(letter.target === undefined ? {} : { target: letter.target }),
        group: letter.name.group ?? null,
        reason: letter.reason ?? null,
        createdAt: iso(letter.createdAt),
        body: { bytes: Buffer.byteLength(letter.message.body) },
        ...common,
      };
    case 'unreadable':
      return { kind: 'unreadable', problem: letter.problem, ...common };
    default:
      return assertNever(letter);
  }
}

export const DLQ_HEADER = `${'in the DLQ since'.padEnd(24)}  ${'reason'.padEnd(12)}  message`;

/** One line for people. */
export function letterAsLine(letter: DeadLetter): string {
  const since = (iso(letter.message.sentAt) ?? '-').padEnd(24);
  const reason = (letter.kind === 'unreadable' ? 'unreadable' : (reasonOf(letter) ?? 'receives')).padEnd(12);
  return printable(`${since}  ${reason}  ${nameOf(letter)}${errorOf(letter)}`);
}

/** Source and event id, outbox id, or message id. */
export const nameOf = (letter: DeadLetter): string =>
  letter.kind === 'event' ? `${letter.envelope.source} ${letter.envelope.eventId}` : identityOf(letter);

function errorOf(letter: DeadLetter): string {
  switch (letter.kind) {
    case 'event': {
      const { types, parked } = letter.envelope;
      const error = parked?.lastError;
      return ` (${types[0]})${error === undefined ? '' : `  ${error.name}: ${error.message}`}`;
    }
    case 'outbox':
      return ` (${letter.name.topic})`;
    case 'unreadable':
      return `: ${letter.problem}`;
    default:
      return assertNever(letter);
  }
}

/** All but the body, a line each. */
export function letterAsText(letter: DeadLetter): readonly string[] {
  const { kind: _kind, ...fields } = letterAsJson(letter);
  return [
    printable(nameOf(letter)),
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [`  ${name.padEnd(15)}  ${printable(textOf(value))}`],
    ),
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const iso = (at: EpochMs | undefined): string | null => (at === undefined ? null : toIso(at));
