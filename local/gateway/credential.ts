/** The access key in a signature's credential, which reads `<access key>/<date>/<region>/<service>/aws4_request`. */
const CREDENTIAL = /Credential=([^/,\s]+)\//;

/** Whose signature an `Authorization` header holds. */
export const accessKeyOf = (authorization: string): string | undefined => CREDENTIAL.exec(authorization)?.[1];

/**
 * The headers as they came but under another access key and without a session: the signature no
 * longer fits, and no service here checks it.
 *
 * @param headers names and values in turn
 */
export function signedBy(accessKeyId: string, headers: readonly string[]): readonly string[] {
  const signed: string[] = [];
  for (let n = 0; n + 1 < headers.length; n += 2) {
    const [name = '', value = ''] = headers.slice(n, n + 2);
    const header = name.toLowerCase();
    if (header === 'x-amz-security-token') continue;
    signed.push(name, header === 'authorization' ? value.replace(CREDENTIAL, `Credential=${accessKeyId}/`) : value);
  }
  return signed;
}
