import { parseJson } from '../core/json.ts';

/** The body as the receiver will read it too, `undefined` when it is no JSON in UTF-8. */
export function jsonBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
