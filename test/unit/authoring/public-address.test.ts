import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../lambda/authoring/public-address.ts';

/** Of each network that is not public: the address before it, its first, its last, and the one after it. */
const NETWORKS: readonly (readonly [
  before: string | undefined,
  first: string,
  last: string,
  after: string | undefined,
])[] = [
  [undefined, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', undefined],
  [undefined, '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
  ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined],
];

describe('an address of the public internet', () => {
  it.each(NETWORKS)('ends at %s before %s, and begins after %s at %s', (before, first, last, after) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    expect([before, after].filter((address) => address !== undefined).every(isPublicAddress)).toBe(true);
  });

  it.each([
    ['the metadata service', '169.254.169.254'],
    ['the metadata service in IPv6', 'fd00:ec2::254'],
    ['loopback in IPv6', '::1'],
    ['a private address as IPv6', '::ffff:10.0.0.1'],
    ['a private address as IPv6 in hex', '::ffff:a00:1'],
    ['a private address behind NAT64', '64:ff9b::a00:1'],
    ['a private address in a 6to4 tunnel', '2002:a00:1::1'],
    ['a link-local address with a zone', 'fe80::1%eth0'],
    ['multicast', 'ff02::1'],
    ['a name', 'example.com'],
    ['a short IPv4 address', '127.1'],
    ['nothing', ''],
  ])('is not %s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '2606:4700:4700::1111', '2a05:d018::1'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
