/**
 * The address of a document, written anew from what was read of it, so that what is asked for is what
 * was judged.
 *
 * @returns `undefined` unless it is `https` on exactly this host with a path of this shape, and nothing more.
 */
export function pinnedUrl(text: string, host: string, path: RegExp): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host: named, pathname, search, hash, username, password } = new URL(text);
  const isPlain = protocol === 'https:' && `${search}${hash}${username}${password}` === '';
  return isPlain && named === host && path.test(pathname) ? `https://${host}${pathname}` : undefined;
}
