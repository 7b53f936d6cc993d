import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Whose X-Forwarded-For counts (TRUST_PROXY). */
export type TrustedProxies =
  | { readonly kind: 'none' }
  /** How many proxies are in front, whatever their addresses. */
  | { readonly kind: 'hops'; readonly hops: number }
  /** Addresses, CIDR networks, or `loopback`. */
  | { readonly kind: 'networks'; readonly networks: readonly string[] };

/**
 * The client's address: the connection's, or, as long as the nearer one is trusted, what X-Forwarded-For says from its
 * end on. Anybody who is not trusted can write anything there, so nothing beyond the first untrusted address counts.
 */
export function findClientAddress(trust: TrustedProxies): (req: IncomingMessage) => string {
  const isTrusted = trustOf(trust);
  return (req) => {
    let address = readAddress(req.socket.remoteAddress ?? '') ?? '';
    const forwarded = [req.headers['x-forwarded-for']].flat().join(',').split(',').reverse();
    for (const [distance, entry] of forwarded.entries()) {
      const next = readAddress(entry);
      if (next === undefined || !isTrusted(address, distance)) break;
      address = next;
    }
    return address;
  };
}

function trustOf(trust: TrustedProxies): (address: string, distance: number) => boolean {
  if (trust.kind === 'none') return () => false;
  if (trust.kind === 'hops') return (_, distance) => distance < trust.hops;
  const list = new BlockList();
  for (const network of trust.networks.flatMap((one) => (one === 'loopback' ? ['127.0.0.0/8', '::1'] : [one]))) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Some proxies add a port; a dual-stack socket writes IPv4 as `::ffff:1.2.3.4`. Undefined for what is no address. */
function readAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bare = /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? undefined : address;
}
