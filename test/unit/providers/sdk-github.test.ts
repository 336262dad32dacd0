import { sign, verify, verifyWithFallback } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../lambda/core/time.ts';
import { github } from '../../../lambda/providers/github.ts';
import { verifySignature } from '../../../lambda/providers/signature.ts';

/* GitHub's own SDK beside the engine: one verdict, except for the differences listed. */

const SECRET = 'a differential secret';
const { scheme } = github();

const ours = (body: Uint8Array, header: string, secrets: readonly string[] = [SECRET]): boolean =>
  verifySignature(scheme, { headers: { 'x-hub-signature-256': header }, body }, secrets, epochMs(0)).kind ===
  'verified';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('known differences from the GitHub SDK', () => {
  it('the SDK takes text only, so a body that is not UTF-8 cannot be verified with it', async () => {
    const binary = Buffer.from('AP/+gHsiYSI6MX0K', 'base64');
    const published = 'sha256=b93f16520a66fab4d5d1317b567add529ef408b2df8e3fc71d8f08f4d63c4688';

    expect(ours(binary, published, ["It's a Secret to Everybody"])).toBe(true);
    expect(await verify("It's a Secret to Everybody", binary.toString('utf8'), published)).toBe(false);
  });

  it('the SDK throws for an empty body; here a correct signature of nothing is authentic', async () => {
    const signature = await signEmpty();

    await expect(verify(SECRET, '', signature)).rejects.toThrow(TypeError);
    expect(ours(new Uint8Array(), signature)).toBe(true);
  });

  it('the SDK throws for an empty signature; here it is a refusal', async () => {
    await expect(verify(SECRET, '{}', '')).rejects.toThrow(TypeError);
    expect(ours(bytes('{}'), '')).toBe(false);
  });
});

/** The SDK signs no empty body, so the digest comes from the platform's Web Crypto. */
async function signEmpty(): Promise<string> {
  const key = await crypto.subtle.importKey('raw', Buffer.from(SECRET), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return `sha256=${Buffer.from(await crypto.subtle.sign('HMAC', key, new Uint8Array())).toString('hex')}`;
}

const texts = fc.oneof(
  fc.json(),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constant('\ufeff{"action":"opened"}'),
);
const changes = fc.constantFrom<(header: string) => string>(
  (header) => header,
  (header) => header,
  (header) => header.toUpperCase(),
  (header) => header.replace('sha256=', 'sha1='),
  (header) => header.replace('sha256=', ''),
  (header) => header.slice(0, -1),
  (header) => `${header}0`,
  (header) => ` ${header}`,
  (header) => `${header},${header}`,
  (header) => header.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
);

it('verifies as the GitHub SDK does wherever no known difference applies', async () => {
  const seen = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(texts, changes, fc.boolean(), async (text, change, otherBody) => {
      const header = change(await sign(SECRET, otherBody ? `${text} ` : text));
      const verdict = await verify(SECRET, text, header);
      seen[verdict ? 'accepted' : 'refused'] += 1;

      expect(ours(bytes(text), header)).toBe(verdict);
      expect(ours(bytes(text), header, ['another secret', SECRET])).toBe(
        await verifyWithFallback('another secret', text, header, [SECRET]),
      );
    }),
    { numRuns: 1000 },
  );
  expect(seen.accepted).toBeGreaterThan(10);
  expect(seen.refused).toBeGreaterThan(10);
});
