import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyEventId, inboxEventId, inboxKey, outboxId, sha256Hex } from '../../../lambda/core/inbox-key.ts';

describe('the name of an event', () => {
  it.each([
    ['e'.repeat(256), true],
    ['e'.repeat(257), false],
    ['é'.repeat(128), true],
    [`${'é'.repeat(128)}e`, false],
    ['body_x', false],
    ['sha256_x', false],
    ['Body_x', true],
    ['evt_body_x', true],
  ])('%.20j… is kept as it is: %s', (id, kept) => {
    expect(inboxEventId(id) === id).toBe(kept);
    if (!kept) expect(inboxEventId(id)).toMatch(/^sha256_[0-9a-f]{64}$/);
  });

  it('is never shared by two ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        fc.pre(one !== other);
        expect(inboxEventId(one)).not.toBe(inboxEventId(other));
      }),
    );
  });

  it('is not shared by ids that have no UTF-8 form', () => {
    expect(inboxEventId('\ud800')).not.toBe(inboxEventId('\ud801'));
  });

  it.each([
    ['short', '\ud800'],
    ['of more than 256 bytes', `\ud800${'x'.repeat(300)}`],
  ])('of an id without a UTF-8 form, %s, is not that of its escaped form', (_length, id) => {
    const escaped = JSON.stringify(id);

    expect(inboxEventId(id)).toMatch(/^sha256_[0-9a-f]{64}$/);
    expect(inboxEventId(id)).not.toBe(inboxEventId(escaped));
    expect(inboxEventId(id)).not.toBe(`sha256_${sha256Hex(escaped)}`);
    expect(inboxEventId(id)).not.toBe(inboxEventId(`\u00ff${escaped}`));
  });

  it('cannot be made to look like that of an event without an id', () => {
    const hash = 'a'.repeat(64);

    expect(inboxEventId(bodyEventId(hash))).not.toBe(bodyEventId(hash));
  });
});

describe('keys', () => {
  it('of the outbox have one reading', () => {
    const ids = new Set([
      outboxId(inboxKey('s', 'a'), 1),
      outboxId(inboxKey('s', 'a#1'), 1),
      outboxId(inboxKey('s', 'a'), 11),
      outboxId(inboxKey('s', 'a#1'), 11),
    ]);

    expect(ids.size).toBe(4);
  });
});
