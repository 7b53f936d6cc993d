import type { SecretScan } from './secret-scan.ts';

export interface NotedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface NotedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
  /** The secrets whose place is the answer. */
  readonly hands?: readonly string[];
}

/** Asks a server, and hands every answer to the scan. */
export interface NotedClient {
  ask(path: string, request?: NotedRequest): Promise<NotedAnswer>;
  /** Sends a form with the token of the page before. */
  send(
    path: string,
    fields: Readonly<Record<string, string>>,
    request?: Pick<NotedRequest, 'hands'>,
  ): Promise<NotedAnswer>;
  /** Follows redirects, those to other servers too; answers the last. */
  follow(path: string, request?: Pick<NotedRequest, 'hands'>): Promise<NotedAnswer>;
  readonly cookies: Map<string, string>;
}

/** A client with cookies. `url`: the server's; what others answer is not noted. */
export function notedClient(scan: SecretScan, url: string): NotedClient {
  const cookies = new Map<string, string>();
  const others = new Map<string, Map<string, string>>();
  const cookiesOf = (origin: string): Map<string, string> => {
    if (origin === new URL(url).origin) return cookies;
    const kept = others.get(origin) ?? new Map<string, string>();
    others.set(origin, kept);
    return kept;
  };
  let csrf = '';
  const ask: NotedClient['ask'] = async (path, { method = 'GET', headers = {}, body, hands = [] } = {}) => {
    const target = new URL(path, url);
    const own = cookiesOf(target.origin);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ');
    const isJson = typeof body === 'object';
    const response = await fetch(target, {
      method,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) keep(own, line);
    if (own === cookies) {
      const seen = `${response.status} ${JSON.stringify([...response.headers])}\n${text}`;
      scan.note(`the answer to ${method} ${path.slice(0, 60)}`, seen, hands);
      csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? csrf;
    }
    return { status: response.status, headers: response.headers, text };
  };
  const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
  return {
    cookies,
    ask,
    send: (path, fields, { hands = [] } = {}) =>
      ask(path, {
        method: 'POST',
        headers: { ...page, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
        hands,
      }),
    async follow(path, { hands = [] } = {}) {
      for (let next = path, steps = 0; ; steps += 1) {
        const answer = await ask(next, { headers: page, hands });
        const location = answer.headers.get('location');
        if (location === null || steps > 10) return answer;
        next = new URL(location, new URL(next, url)).toString();
      }
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split('; ');
  const at = pair.indexOf('=');
  if (line.includes('Max-Age=0')) cookies.delete(pair.slice(0, at));
  else cookies.set(pair.slice(0, at), pair.slice(at + 1));
}
