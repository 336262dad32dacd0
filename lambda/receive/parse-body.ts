import { parseJson } from '../core/json.ts';
import type { ProviderPreset } from '../providers/preset.ts';
import { valueAt } from '../providers/read-location.ts';

export type ParsedBody =
  /** The items of a batch, or the one body. */
  | { readonly kind: 'parsed'; readonly items: readonly unknown[] }
  /** `reason` is for the log alone. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** What is in a delivery, event by event. @param bytes After inflating. */
export function parseBody(provider: ProviderPreset, bytes: Uint8Array): ParsedBody {
  const body = toValue(provider, bytes);
  if (body === undefined) return { kind: 'malformed', reason: 'the body is not JSON' };
  if (provider.batch === undefined) return { kind: 'parsed', items: [body.value] };
  const found = valueAt(body.value, provider.batch);
  return Array.isArray(found)
    ? { kind: 'parsed', items: found }
    : { kind: 'malformed', reason: 'the body has no list of events' };
}

// The preset and the signed bytes decide what the body is, not the content type: senders post JSON as
// text/plain, and a header that nobody signed must not turn one event into another.
function toValue(provider: ProviderPreset, bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const isForm = provider.body === 'json-or-form-payload' && text.startsWith(FORM_START);
    const json = isForm ? new URLSearchParams(text).get('payload') : text;
    return json === null ? undefined : { value: parseJson(json) };
  } catch {
    return undefined;
  }
}

/** No JSON begins so. */
const FORM_START = 'payload=';
