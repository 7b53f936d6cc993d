/** The git host that the run belongs to, and the token that the step was given for it; empty without one. */
export interface GitServer {
  readonly url: string;
  readonly token: string;
}

/** Where commits are fetched from. */
export interface FetchSource {
  readonly url: string;
  /** Settings of git that sign in; to the run's own host only. */
  readonly credentials: readonly (readonly [key: string, value: string])[];
}

const SHORT_FORM = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/;

/**
 * Where a remote of the checkout is fetched from. Only https: all other ways would start programs that the checkout
 * may name. A remote on the run's own host, however it is written (also ssh's `git@host:owner/name`), is asked there.
 */
export function fetchSource(
  remoteUrl: string,
  server: GitServer,
  transports: readonly string[],
): FetchSource | undefined {
  const host = URL.canParse(server.url) ? new URL(server.url) : undefined;
  const remote = parseRemote(remoteUrl);
  if (remote === undefined) return undefined;
  if (host?.protocol === 'https:' && isOn(host, remote)) {
    const url = new URL(host.origin);
    url.pathname = remote.pathname;
    return { url: url.href, credentials: credentialsFor(host, server.token) };
  }
  const isOpen = transports.some((transport) => remote.protocol === `${transport}:`);
  return isOpen ? { url: remote.href, credentials: [] } : undefined;
}

function parseRemote(remoteUrl: string): URL | undefined {
  const [, host, path] = SHORT_FORM.exec(remoteUrl) ?? [];
  const text = host === undefined || URL.canParse(remoteUrl) ? remoteUrl : `ssh://${host}/${path}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Over https the port belongs to the host's name; ssh and git have ports of their own. */
function isOn(host: URL, remote: URL): boolean {
  if (remote.protocol === 'https:') return remote.host === host.host;
  return ['ssh:', 'git:', 'http:'].includes(remote.protocol) && remote.hostname.toLowerCase() === host.hostname;
}

function credentialsFor(host: URL, token: string): FetchSource['credentials'] {
  if (token === '') return [];
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return [[`http.${host.origin}/.extraHeader`, `Authorization: Basic ${basic}`]];
}
