import type { Config } from '../config/config.ts';
import type { DoctorDeps } from '../operations/check.ts';

/** What the checks know of the settings. */
export function readDoctorSettings({
  baseUrl,
  minFreeDisk,
  outgoing,
  openId,
  groupsMaxAge,
}: Config): Pick<DoctorDeps, 'isBaseUrlSet' | 'minFreeDisk' | 'outgoing' | 'groupsMaxAge'> {
  const { httpsProxy, httpProxy, noProxy, ca } = outgoing;
  const set = { HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy, NO_PROXY: noProxy, CA_FILE: ca };
  const names = Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const known = { isBaseUrlSet: baseUrl !== undefined, minFreeDisk, outgoing: names };
  return { ...known, groupsMaxAge: openId?.usesGroups === true ? groupsMaxAge : undefined };
}
