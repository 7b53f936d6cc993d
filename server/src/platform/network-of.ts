import { isIP } from 'node:net';

/** What an address counts as: a machine has many IPv6 addresses, and their first four groups name its network. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [left = '', right = ''] = address.split('::');
  const [before, after] = [left, right].map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - (before?.length ?? 0) - (after?.length ?? 0)) }, () => '0');
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
