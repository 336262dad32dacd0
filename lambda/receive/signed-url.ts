import type { Source } from '../authoring/define-sources.ts';
import type { InboundRequest } from '../core/event.ts';

/**
 * The URL that the provider signed: the configured one, and the query as it was sent where the
 * configuration names none. Providers add parameters of their own, and those are signed too.
 *
 * @returns `undefined` for a source without a `publicUrl`.
 */
export function signedUrl({ publicUrl }: Source, { query }: InboundRequest): string | undefined {
  if (publicUrl === undefined || query === '' || publicUrl.includes('?')) return publicUrl;
  return `${publicUrl}?${query}`;
}
