import type { Config } from '../config/config.ts';
import { REPO_SERVICES } from '../core/repo/repo.ts';
import type { Examined } from '../operations/check.ts';

/** What the checks know of the settings. */
export function readDoctorSettings({
  baseUrl,
  minFreeDisk,
  outgoing,
  openId,
  groupsMaxAge,
  warnings,
  allowedOwners,
}: Config): Pick<Examined, 'isBaseUrlSet' | 'minFreeDisk' | 'outgoing' | 'groupsMaxAge' | 'warnings' | 'adoptsFrom'> {
  const { httpsProxy, httpProxy, noProxy, ca } = outgoing;
  const set = { HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy, NO_PROXY: noProxy, CA_FILE: ca };
  const names = Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const adoptsFrom = REPO_SERVICES.filter((one) => allowedOwners.some(({ service = one }) => service === one));
  const known = { isBaseUrlSet: baseUrl !== undefined, minFreeDisk, outgoing: names, warnings, adoptsFrom };
  return { ...known, groupsMaxAge: openId?.usesGroups === true ? groupsMaxAge : undefined };
}
