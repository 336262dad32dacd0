import type { DocumentAnswer, DocumentRequest } from '../../lambda/core/document-ports.ts';
import type { EpochMs } from '../../lambda/core/time.ts';
import type { CodeScheme } from '../../lambda/providers/code-scheme.ts';
import type { Verification } from '../../lambda/providers/scheme.ts';
import { T0 } from './manual-clock.ts';

/** What a scheme is asked about; what is left out does not matter to the test. */
export interface CodeCase {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly secrets: readonly string[];
  readonly at?: EpochMs;
  readonly toleranceSeconds?: number;
  readonly publish?: (request: DocumentRequest) => DocumentAnswer;
}

/** The verdict, and every document that it took. Asks as the receiver does. */
export function codeVerdict(
  scheme: CodeScheme,
  { url = '', headers = {}, body, secrets, at = T0, toleranceSeconds, publish }: CodeCase,
): { readonly verdict: Verification; readonly asked: readonly DocumentRequest[] } {
  const answers = new Map<string, DocumentAnswer>();
  const asked: DocumentRequest[] = [];
  for (let rounds = 0; rounds < 5; rounds += 1) {
    const verdict = scheme.verify({
      request: { method: 'POST', url, headers, body: Buffer.from(body) },
      secrets,
      now: at,
      toleranceSeconds,
      documentOf: ({ name }) => answers.get(name),
    });
    if (verdict.kind !== 'document-needed') return { verdict, asked };
    asked.push(verdict.document);
    answers.set(verdict.document.name, publish?.(verdict.document) ?? { kind: 'absent' });
  }
  throw new Error('no verdict');
}
