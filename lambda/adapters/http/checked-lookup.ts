import { type LookupAddress, type LookupOptions, lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** The code of the error for a host that must not be called. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

/** As `dns.lookup` with `all`. */
export type LookUp = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks a name up for a connection, and gives the connection nothing if one of the addresses is not allowed. What was
 * checked is what is connected to: a name that resolves to something else a moment later changes nothing.
 *
 * Not called for a host that is an address itself.
 */
export const createCheckedLookup =
  (isAllowed: (address: string) => boolean, resolve: LookUp = lookUp): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(Object.assign(new Error('the address is not allowed'), { code: ADDRESS_REFUSED }), []);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
