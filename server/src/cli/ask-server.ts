import type { Config } from '../config/config.ts';
import { proveDoctor } from '../operations/doctor-proof.ts';
import type { presentExamination } from '../operations/http/examination-json.ts';
import { DOCTOR_HEADER } from '../operations/http/health-routes.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import type { Secrets } from '../platform/secrets.ts';

export type Presented = ReturnType<typeof presentExamination>;

/** Longer than a server looks at itself, in ms. */
const TIME_LIMIT = 20_000;

/**
 * What the server of these settings finds about itself, with its own network, settings and version. Undefined: none of
 * this key runs where they say that it listens, or it does not know the question.
 */
export async function askServer(address: string, secrets: Secrets): Promise<Presented | undefined> {
  // It is on this machine: no proxy is asked.
  const fetch = createFetch({ httpProxy: undefined, httpsProxy: undefined, noProxy: undefined, ca: undefined });
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const answer = await fetch(address + path, { redirect: 'manual', signal, headers });
    return answer.status === 200 ? answer.json() : undefined;
  };
  try {
    const health = (await ask('/healthz?identity')) as { readonly identity?: unknown } | undefined;
    if (health?.identity !== secrets.serverIdentity()) return undefined;
    const proof = proveDoctor(secrets, Date.now());
    return (await ask('/readyz?verbose', { [DOCTOR_HEADER]: proof })) as Presented | undefined;
  } catch {
    return undefined;
  }
}

/** Where a server of these settings is reached on this machine; undefined if it picks a free port. */
export function listensAt({ host, port }: Pick<Config, 'host' | 'port'>): string | undefined {
  if (port === 0) return undefined;
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
