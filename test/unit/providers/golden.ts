import { readFileSync } from 'node:fs';

/** One known answer of `test/golden/providers/signature-vectors.json`. */
export interface SignatureVector {
  readonly id: string;
  readonly scheme: string;
  readonly note: string;
  readonly secret: string;
  /** All configured secrets, where there is more than the one. */
  readonly secrets?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
  /** What the provider signs of the request line, where it does. */
  readonly url?: string;
  readonly method?: string;
  readonly nowSeconds?: number;
  readonly valid: boolean;
  readonly reason?: string;
}

/** A body of `test/golden/providers/payloads` and the headers that were signed for its bytes. */
export interface SignedPayload {
  readonly file: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly nowSeconds: number;
  readonly url?: string;
  readonly method?: string;
}

/** All vectors of the file. */
export const allVectors = (): readonly SignatureVector[] =>
  readJson('signature-vectors.json') as readonly SignatureVector[];

const GOLDEN = new URL('../../golden/providers/', import.meta.url);

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, GOLDEN), 'utf8'));

export const vectorsOf = (scheme: string): readonly SignatureVector[] =>
  allVectors().filter((vector) => vector.scheme === scheme);

/** All payloads of the folder. */
export const allPayloads = (): readonly SignedPayload[] =>
  readJson('payloads/headers.json') as readonly SignedPayload[];

export function readSignedPayload(file: string): SignedPayload & { readonly body: Uint8Array } {
  const entry = allPayloads().find((payload) => payload.file === file);
  if (entry === undefined) throw new Error(`headers.json does not know ${file}`);
  return { ...entry, headers: lowerCased(entry.headers), body: readFileSync(new URL(`payloads/${file}`, GOLDEN)) };
}

/** As API Gateway hands headers over. */
export const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
