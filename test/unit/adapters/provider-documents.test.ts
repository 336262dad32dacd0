import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../lambda/adapters/documents/https-request.ts';
import {
  BUDGET,
  BUDGET_GROWS_EVERY,
  createProviderDocuments,
} from '../../../lambda/adapters/documents/provider-documents.ts';
import type { DocumentAnswer } from '../../../lambda/core/document-ports.ts';
import { hours, seconds } from '../../../lambda/core/time.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const found = (text: string): DocumentAnswer => ({ kind: 'found', text });
const ABSENT: DocumentAnswer = { kind: 'absent' };
const DOWN: DocumentAnswer = { kind: 'unavailable', reason: 'down' };

function make(answer: (name: string) => DocumentAnswer | Promise<DocumentAnswer> = found) {
  const clock = createManualClock();
  const asked: string[] = [];
  const provider = { answer };
  const exchange: Exchange = async ({ name }) => {
    asked.push(name);
    return provider.answer(name);
  };
  const documents = createProviderDocuments(exchange, clock);
  const request = (name: string, host = 'keys.example') => ({ url: `https://${host}/${name}`, hosts: [host], name });
  return {
    clock,
    asked,
    provider,
    read: (name: string, host?: string) => documents.read(request(name, host)),
    call: (name: string) => documents.call(request(name)),
  };
}

describe('the documents of providers', () => {
  it('are asked for once, and again when they are an hour old', async () => {
    const { read, asked, clock } = make();

    await read('a');
    clock.advance(hours(1) - 1);
    expect(await read('a')).toEqual(found('a'));
    expect(asked).toEqual(['a']);

    clock.advance(1);
    await read('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('are asked for once by those who come together', async () => {
    const { read, asked } = make();

    expect(await Promise.all([read('a'), read('a'), read('a')])).toEqual([found('a'), found('a'), found('a')]);
    expect(asked).toEqual(['a']);
  });

  it('that are not there are not asked for again for five minutes', async () => {
    const { read, asked, clock } = make(() => ABSENT);

    await read('a');
    clock.advance(seconds(300) - 1);
    expect(await read('a')).toEqual(ABSENT);
    expect(asked).toHaveLength(1);

    clock.advance(1);
    await read('a');
    expect(asked).toHaveLength(2);
  });

  it('count for a day while the provider is down, and not longer', async () => {
    const { read, provider, clock } = make();
    await read('a');
    provider.answer = () => DOWN;

    clock.advance(hours(24) - 1);
    expect(await read('a')).toEqual(found('a'));
    clock.advance(1);
    expect(await read('a')).toEqual(DOWN);
  });

  it('that the provider took back count no more', async () => {
    const { read, provider, clock } = make();
    await read('a');
    provider.answer = () => ABSENT;
    clock.advance(hours(1));

    expect(await read('a')).toEqual(ABSENT);
    provider.answer = () => DOWN;
    clock.advance(seconds(300));
    expect(await read('a')).toEqual(DOWN);
  });

  it(`are asked for ${BUDGET} times at most by a thousand who each name another`, async () => {
    const { read, asked } = make(() => ABSENT);

    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => read(`forged-${n}`)));

    expect(asked).toHaveLength(BUDGET);
    expect(answers.filter(({ kind }) => kind === 'unavailable')).toHaveLength(1000 - BUDGET);
  });

  it('are asked for once more for every few seconds that pass', async () => {
    const { read, asked, clock } = make(() => ABSENT);
    for (let n = 0; n < BUDGET; n += 1) await read(`first-${n}`);

    clock.advance(BUDGET_GROWS_EVERY - 1);
    await read('too-early');
    expect(asked).toHaveLength(BUDGET);

    clock.advance(1);
    await Promise.all([read('in-time'), read('one-too-many')]);
    expect(asked).toHaveLength(BUDGET + 1);

    clock.advance(BUDGET_GROWS_EVERY * BUDGET * 10);
    await Promise.all(Array.from({ length: 50 }, (_, n) => read(`later-${n}`)));
    expect(asked).toHaveLength(BUDGET + 1 + BUDGET);
  });

  it('that were read before a flood are had during it, also when they are no longer fresh', async () => {
    const { read, asked, clock } = make((name) => (name === 'genuine' ? found('key') : ABSENT));
    await read('genuine');
    clock.advance(hours(2));

    for (let n = 0; n < 1000; n += 1) await read(`forged-${n}`);

    expect(await read('genuine')).toEqual(found('key'));
    expect(asked).toHaveLength(1 + BUDGET);
  });

  it('of one provider are not delayed by a flood that names another', async () => {
    const { read, asked } = make();
    for (let n = 0; n < 1000; n += 1) await read(`forged-${n}`);

    expect(await read('genuine', 'other.example')).toEqual(found('genuine'));
    expect(asked).toHaveLength(BUDGET + 1);
  });

  it('of which many are found do not push out one that is used', async () => {
    const { read, asked, clock } = make();
    await read('used');
    for (let n = 0; n < 100; n += 1) {
      clock.advance(BUDGET_GROWS_EVERY);
      await read(`other-${n}`);
      await read('used');
    }

    expect(asked.filter((name) => name === 'used')).toHaveLength(1);
  });

  it('are not what a call is answered from, but calls are counted with them', async () => {
    const { read, call, asked } = make();

    await call('a');
    await call('a');
    for (let n = 0; n < 10; n += 1) await read(`b-${n}`);

    expect(asked.filter((name) => name === 'a')).toHaveLength(2);
    expect(asked).toHaveLength(BUDGET);
    expect((await call('a')).kind).toBe('unavailable');
  });
});
