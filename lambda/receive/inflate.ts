import { promisify } from 'node:util';
import { gunzip, type InputType, inflate as inflateZlib, type ZlibOptions } from 'node:zlib';

export type Inflated =
  | { readonly kind: 'inflated'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unknown-encoding' }
  | { readonly kind: 'malformed'; readonly reason: string };

type Decode = (bytes: InputType, options: ZlibOptions) => Promise<Uint8Array>;

// A map, because the sender chooses the name: an object would also answer to `constructor`.
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify<InputType, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<InputType, ZlibOptions, Buffer>(inflateZlib)],
]);

/** Whether {@link inflate} knows the encoding; an absent header is `identity`. */
export const isKnownEncoding = (encoding: string | undefined): boolean =>
  nameOf(encoding) === 'identity' || DECODERS.has(nameOf(encoding));

/**
 * Undoes `Content-Encoding`. Memory stays bounded: a body that inflates beyond `maxBytes` is cut off
 * there, however small it was on the wire.
 */
export async function inflate(bytes: Uint8Array, encoding: string | undefined, maxBytes: number): Promise<Inflated> {
  const name = nameOf(encoding);
  if (name === 'identity') return { kind: 'inflated', bytes };
  const decode = DECODERS.get(name);
  if (decode === undefined) return { kind: 'unknown-encoding' };
  try {
    return { kind: 'inflated', bytes: await decode(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge ? { kind: 'too-large' } : { kind: 'malformed', reason: `the body is not ${name}` };
  }
}

const nameOf = (encoding: string | undefined): string => {
  const name = (encoding ?? '').trim().toLowerCase();
  return name === '' ? 'identity' : name;
};
