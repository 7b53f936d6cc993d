/** Addresses that are kept, and characters of one. */
const MAX_REMOTES = 5;
const LONGEST = 200;

/** `git@host:path`, as git writes it. */
const SCP = /^[^\s@:/]{1,100}@([\w.-]{1,200}):([^\s@]{1,200})$/;

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ssh:', 'git:']);

/**
 * `git.remotes` as one text for display: addresses with a blank between, without whatever may be a credential in them
 * (user, password, query, fragment). What is no address of a host is left out: it names paths of the CI machine.
 */
export function readRemotes(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const addresses = value.slice(0, MAX_REMOTES).flatMap((remote: unknown) => readAddress(remote) ?? []);
  return addresses.length === 0 ? undefined : [...new Set(addresses)].join(' ');
}

function readAddress(remote: unknown): string | undefined {
  const url = typeof remote === 'object' && remote !== null && 'url' in remote ? remote.url : undefined;
  if (typeof url !== 'string' || url.length > 2_000) return undefined;
  const [, host, path] = SCP.exec(url.trim()) ?? [];
  const parsed = URL.parse(host === undefined ? url.trim() : `ssh://${host}/${path}`);
  if (parsed === null || parsed.host === '' || !SCHEMES.has(parsed.protocol)) return undefined;
  const address = `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  return address.length > LONGEST || /\s|@/.test(address) ? undefined : address;
}
