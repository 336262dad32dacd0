/**
 * Verify a delivery whose scheme is code. The scheme is a pure function that says which document it
 * lacks, a certificate or a key; this reads it and asks again.
 */
import type { Source } from '../authoring/define-sources.ts';
import type { DocumentAnswer, ProviderDocuments } from '../core/document-ports.ts';
import type { InboundRequest } from '../core/event.ts';
import type { CodeScheme } from '../providers/code-scheme.ts';
import type { Verification } from '../providers/scheme.ts';

export type CodeVerdict = Verification | { readonly kind: 'key-unavailable'; readonly reason: string };

/** A document for each of two secrets, and room for one more of each. */
const MOST_DOCUMENTS = 4;

export async function verifyByCode(
  documents: ProviderDocuments,
  source: Source,
  scheme: CodeScheme,
  request: InboundRequest,
  signedBytes: Uint8Array,
  secrets: readonly string[],
): Promise<CodeVerdict> {
  const answers = new Map<string, DocumentAnswer>();
  const [base = ''] = (source.publicUrl ?? '').split('?');
  const url = request.query === '' ? base : `${base}?${request.query}`;
  while (answers.size < MOST_DOCUMENTS) {
    const verdict = scheme.verify({
      request: { method: request.method, url, headers: request.headers, body: signedBytes },
      secrets,
      now: request.receivedAt,
      toleranceSeconds: source.toleranceSeconds,
      documentOf: ({ name }) => answers.get(name),
    });
    if (verdict.kind !== 'document-needed') return verdict;

    const answer = await documents.read(verdict.document);
    if (answer.kind === 'unavailable') return { kind: 'key-unavailable', reason: answer.reason };
    answers.set(verdict.document.name, answer);
  }
  return { kind: 'key-unavailable', reason: 'the scheme asks for too many documents' };
}
