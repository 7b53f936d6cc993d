import type { Config } from '../config.ts';
import type { DoctorDeps } from '../use-cases/doctor/check.ts';

/** What the checks know of the settings. */
export function readDoctorSettings({
  baseUrl,
  minFreeDisk,
  outgoing,
}: Config): Pick<DoctorDeps, 'isBaseUrlSet' | 'minFreeDisk' | 'outgoing'> {
  const { httpsProxy, httpProxy, noProxy, ca } = outgoing;
  const set = { HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy, NO_PROXY: noProxy, CA_FILE: ca };
  const names = Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return { isBaseUrlSet: baseUrl !== undefined, minFreeDisk, outgoing: names };
}
