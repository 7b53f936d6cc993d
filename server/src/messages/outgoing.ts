// Why a request did not leave this server: clauses that name the setting.
import type { Texts } from './values.ts';

export function certificateUntrusted({ host, why }: Texts<'host' | 'why'>): string {
  return `the certificate of ${host} is not trusted (${why}): set CA_FILE to the authority that issued it`;
}

export function proxyRefused({ setting, status }: Texts<'setting' | 'status'>): string {
  return `the proxy of ${setting} refused (${status}): it has to let this server through, or NO_PROXY names the host`;
}

export function proxyUnreachable({ setting, why }: Texts<'setting' | 'why'>): string {
  return `the proxy of ${setting} cannot be reached (${why})`;
}

export function proxyUntrusted({ setting, why }: Texts<'setting' | 'why'>): string {
  return certificateUntrusted({ host: `the proxy of ${setting}`, why });
}
