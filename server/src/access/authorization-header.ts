/** An Authorization header in its two parts; `token` is empty if there is one word only. */
export interface AuthorizationHeader {
  readonly scheme: string;
  readonly token: string;
}

/** Splits at the first blank: a regular expression with two blank runs is quadratic. */
export function splitAuthorization(header: string): AuthorizationHeader {
  const text = header.trim();
  const end = text.search(/\s/);
  return end === -1 ? { scheme: text, token: '' } : { scheme: text.slice(0, end), token: text.slice(end).trim() };
}

/** Whether the scheme is one that a token comes with. */
export function isTokenScheme(scheme: string): boolean {
  return ['token', 'bearer'].includes(scheme.toLowerCase());
}

/** The token of `Authorization: Bearer <token>` or `token <token>`; undefined for anything else. */
export function tokenOfAuthorization(header: string): string | undefined {
  const { scheme, token } = splitAuthorization(header);
  return isTokenScheme(scheme) && token !== '' ? token : undefined;
}
