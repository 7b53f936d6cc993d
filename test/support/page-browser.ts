/** What a page answered, without following where it leads. */
export interface PageAnswer {
  readonly status: number;
  /** Where it leads, as path and query; undefined: nowhere. */
  readonly location: string | undefined;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser that has cookies and sends forms, and nothing else. */
export interface PageBrowser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<PageAnswer>;
  /** Sends a form with the token of the page that was shown last; `fields` may replace it. */
  send(path: string, fields: Readonly<Record<string, string>>, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Follows redirects until there is a page; answers where it is. */
  follow(path: string): Promise<PageAnswer & { readonly path: string }>;
  /** For the page that was shown last. */
  csrf(): string;
  readonly cookies: Map<string, string>;
}

const AS_BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-site': 'same-origin' };

/** `url`: the server's, without a slash at the end. */
export function openBrowser(url: string): PageBrowser {
  const cookies = new Map<string, string>();
  let csrf = '';
  const ask = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...AS_BROWSER, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const text = await response.text();
    csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? csrf;
    const address = response.headers.get('location');
    return { status: response.status, location: address ?? undefined, headers: response.headers, text };
  };
  const get: PageBrowser['get'] = (path, headers = {}) => ask(path, { headers: { ...headers } });
  return {
    cookies,
    csrf: () => csrf,
    get,
    send: (path, fields, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
      }),
    async follow(path) {
      for (let next = path, steps = 0; ; steps += 1) {
        const answer = await get(next);
        if (answer.location === undefined || steps > 10) return { ...answer, path: next };
        next = new URL(answer.location, new URL(next, url)).toString();
      }
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const at = pair.indexOf('=');
  const isGone = attributes.includes('Max-Age=0');
  if (isGone) cookies.delete(pair.slice(0, at));
  else cookies.set(pair.slice(0, at), pair.slice(at + 1));
}
