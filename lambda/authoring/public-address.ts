import { BlockList, isIP } from 'node:net';

/**
 * Whether an IP address is one of the public internet. Everything else is refused as the host of a target: addresses of
 * this machine and its networks, of AWS's metadata services, multicast, documentation, and those that carry an IPv4
 * address within, by which a private one could be reached under another name.
 *
 * @param address IPv4 in four decimal parts, or IPv6, with or without a zone. What is neither is not public.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
export function isPublicAddress(address: string): boolean {
  // BlockList finds nothing for an address with a zone.
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return !notPublicIpv4.check(bare, 'ipv4');
    case 6:
      return !notPublicIpv6.check(bare, 'ipv6');
    default:
      return false;
  }
}

// Two lists: in one, the IPv6 networks would hold every IPv4 address too, as ::ffff:0:0/96.
const notPublicIpv4 = listOf('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers, and some of AWS's own services
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, the metadata services among them
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays to IPv6
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

const notPublicIpv6 = listOf('ipv6', [
  // Global unicast is 2000::/3. Outside of it are loopback, IPv4 as IPv6 (mapped, and NAT64), unique local with the
  // metadata service fd00:ec2::254, link-local, site-local and multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments, tunnels with an IPv4 address within among them
  '2001:db8::/32', // documentation
  '2002::/16', // tunnels with an IPv4 address within
  '3fff::/20', // documentation
]);

function listOf(type: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), type);
  }
  return list;
}
