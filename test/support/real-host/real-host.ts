/** A git host that is no stand-in, and its administrator. */
export interface RealHost {
  /** Without a slash at its end. */
  readonly url: string;
  readonly admin: { readonly name: string; readonly password: string };
}

/** Requests to its API, which has to take them. */
export type AskHost = <T = Record<string, unknown>>(method: string, path: string, body?: object) => Promise<T>;

/** By a token, or as the administrator. Throws for a refusal. */
export function askAt({ url, admin }: RealHost, token?: string): AskHost {
  const basic = Buffer.from(`${admin.name}:${admin.password}`).toString('base64');
  const authorization = token === undefined ? `Basic ${basic}` : `token ${token}`;
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  };
}
