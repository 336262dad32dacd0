import type { Location } from './preset.ts';

/**
 * A {@link Location} as people write it: `header:x-event-id`, or `$.data.id` for a field of the
 * body. A path has field names only, no array positions and no wildcards.
 */
export type LocationText = `header:${string}` | `$.${string}`;

/** @returns `undefined` for a text that is no location. */
export function parseLocation(text: string): Location | undefined {
  if (text.startsWith('header:')) {
    const header = parseHeaderName(text.slice('header:'.length));
    return header === undefined ? undefined : { header };
  }
  const json = text.startsWith('$.') ? parsePath(text) : undefined;
  return json === undefined ? undefined : { json };
}

/** Reads `$` as the body itself and `$.a.b` as a field of it. @returns `undefined` for anything else. */
export function parsePath(text: string): readonly string[] | undefined {
  const [root, ...names] = text.split('.');
  return root === '$' && names.every((name) => FIELD_NAME.test(name)) ? names : undefined;
}

/** @returns the name in lower case, `undefined` for what no HTTP header can be called. */
export const parseHeaderName = (text: string): string | undefined =>
  HEADER_NAME.test(text) ? text.toLowerCase() : undefined;

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
