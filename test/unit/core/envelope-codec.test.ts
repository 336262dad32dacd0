import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../lambda/core/envelope.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../lambda/core/envelope-codec.ts';

const golden = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, '../../golden/messages', name), 'utf8').trim();

const FULL = {
  source: 'github',
  eventId: 'd-1',
  types: ['issues.opened', 'issues'],
  receivedAt: 1_796_083_200_000,
  occurredAt: 1_796_083_199_000,
  contentEncoding: 'gzip',
  itemIndex: 3,
  headers: { 'x-github-event': 'issues' },
  body: { kind: 'inline', bytes: Buffer.from('{"a":1}') },
  notBefore: 1_796_083_260_000,
  postponedSince: 1_796_083_200_000,
  force: true,
  parked: { reason: 'max-attempts', lastError: { name: 'Error', message: 'boom' } },
} as unknown as Envelope;

const LEAST = {
  source: 'stripe',
  eventId: 'evt_1',
  types: ['invoice.paid'],
  receivedAt: 1_796_083_200_000,
  occurredAt: undefined,
  contentEncoding: undefined,
  itemIndex: undefined,
  headers: {},
  body: { kind: 'stored', bucket: 'bodies', key: 'stripe/abc' },
  notBefore: undefined,
  postponedSince: undefined,
  force: false,
  parked: undefined,
} as unknown as Envelope;

describe('a message of version 1', () => {
  it.each([
    ['event-v1.json', FULL],
    ['event-v1-stored.json', LEAST],
  ])('is written as %s, and read again for ever', (name, envelope) => {
    expect(encodeEnvelope(envelope)).toBe(golden(name));
    expect(decodeEnvelope(golden(name))).toEqual(envelope);
  });

  it('carries any bytes unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const { body } = decodeEnvelope(encodeEnvelope({ ...LEAST, body: { kind: 'inline', bytes } }));
        expect(body.kind === 'inline' && Buffer.compare(body.bytes, bytes)).toBe(0);
      }),
    );
  });

  it('keeps a reason that this code does not know: people read it', () => {
    expect(decodeEnvelope(golden('event-v1.json').replace('max-attempts', 'of-tomorrow')).parked?.reason).toBe(
      'of-tomorrow',
    );
  });
});

describe('a message that cannot be read', () => {
  const without = (name: string): string => {
    const { [name]: _gone, ...rest } = JSON.parse(golden('event-v1.json')) as Record<string, unknown>;
    return JSON.stringify(rest);
  };
  const having = (name: string, value: unknown): string =>
    JSON.stringify({ ...JSON.parse(golden('event-v1.json')), [name]: value });

  it.each([
    ['no JSON', 'canary'],
    ['no object', '["canary"]'],
    ['no version', without('v')],
    ['the version of tomorrow', having('v', 2)],
    ['no source', without('source')],
    ['no type', without('type')],
    ['no receipt', without('receivedAtMs')],
    ['no headers', without('headers')],
    ['no body', without('body')],
    ['a body that is no text', having('body', ['canary'])],
    ['a time that is no number', having('eventTimeMs', 'canary')],
    ['a negative time', having('notBeforeMs', -1)],
    ['a header that is no text', having('headers', { a: 1 })],
    ['types that are no list', having('baseTypes', 'canary')],
  ])('for %s is refused without telling what was in it', (_case, text) => {
    let message = '';
    try {
      decodeEnvelope(text);
    } catch (error) {
      message = error instanceof Error ? `${error.name} ${'code' in error ? error.code : ''} ${error.message}` : '';
    }
    expect(message).toMatch(/^OncehookError MESSAGE_UNREADABLE the message has /);
    expect(message).not.toContain('canary');
  });
});
