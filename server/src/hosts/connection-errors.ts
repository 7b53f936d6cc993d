/** Codes of a connection that was never made (Node's resolver, sockets and TLS; undici's own). */
const UNCONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);
const UNCONNECTED_FAMILY = /^(EAI|ERR_TLS|CERT|UNABLE_TO)_\w+$/;

/** Whether nothing of a request left this process. */
export function failedBeforeSending(cause: unknown): boolean {
  const syscall = isObject(cause) ? cause.syscall : undefined;
  const code = codeOf(cause) ?? '';
  return syscall === 'connect' || syscall === 'getaddrinfo' || UNCONNECTED.has(code) || UNCONNECTED_FAMILY.test(code);
}

/**
 * Octokit's RequestError wraps fetch's TypeError, which wraps the system's error, or several where a host has several
 * addresses.
 */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next: unknown = error;
  while (next !== undefined && causes.length < 6) {
    causes.push(next);
    next = isObject(next) ? (next.cause ?? (Array.isArray(next.errors) ? next.errors[0] : undefined)) : undefined;
  }
  return causes;
}

export function codeOf(cause: unknown): string | undefined {
  const code = isObject(cause) ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
