import { jsonBody } from './json-body.ts';
import { textAt } from './read-location.ts';

/**
 * Reads single fields of a body that is part of a proof. Read as the event itself is, so that
 * nothing is proven about another value than the one that is used.
 *
 * @returns `undefined` for a body that is no JSON. A field that is blank, or neither text nor a whole number, is absent.
 */
export function readSignedBody(body: Uint8Array): ((path: readonly string[]) => string | undefined) | undefined {
  const parsed = jsonBody(body);
  return parsed === undefined ? undefined : (path) => textAt({ json: path }, {}, parsed);
}
