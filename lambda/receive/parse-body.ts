import { parseJson } from '../core/json.ts';
import { eventsAt } from '../providers/batch.ts';
import { formObject, looksLikeJson } from '../providers/form.ts';
import type { ProviderPreset } from '../providers/preset.ts';

export type ParsedBody =
  /** The items of a batch, or the one body. */
  | { readonly kind: 'parsed'; readonly items: readonly unknown[] }
  /** `reason` is for the log alone. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** What is in a delivery, event by event. @param bytes After inflating. */
export function parseBody(provider: Pick<ProviderPreset, 'body' | 'batch' | 'explode'>, bytes: Uint8Array): ParsedBody {
  const body = readBody(provider, bytes);
  if (body === undefined) return { kind: 'malformed', reason: 'the body is not JSON' };
  const items = eventsAt(provider, body.value);
  return items === undefined
    ? { kind: 'malformed', reason: 'the body has no list of events' }
    : { kind: 'parsed', items };
}

/**
 * The body as a whole; `undefined` when it is not what the preset says.
 *
 * The preset and the signed bytes decide what it is, not the content type: senders post JSON as text/plain, and a header
 * that nobody signed must not turn one event into another.
 */
export function readBody(
  provider: Pick<ProviderPreset, 'body'>,
  bytes: Uint8Array,
): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (provider.body === 'json-or-form' && !looksLikeJson(text)) {
      return text === '' ? undefined : { value: formObject(text) };
    }
    const isForm = provider.body === 'json-or-form-payload' && text.startsWith(FORM_START);
    const json = isForm ? new URLSearchParams(text).get('payload') : text;
    return json === null ? undefined : { value: parseJson(json) };
  } catch {
    return undefined;
  }
}

/** No JSON begins so. */
const FORM_START = 'payload=';
