import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import { createAskHost } from '../use-cases/access/ask-host.ts';
import { createKnowAccess, type KnowAccess } from '../use-cases/access/know-access.ts';
import type { Parts } from './services.ts';

/** What callers may do in a repo beside what they bring. */
export function composeAccess(
  { config, store, secrets }: Pick<Parts, 'config' | 'store' | 'secrets'>,
  { clock, hosts }: { readonly clock: Clock; readonly hosts: Hosts },
): KnowAccess {
  const { accounts, members } = store;
  const askHost = createAskHost({ accounts, hosts, secrets, clock });
  return createKnowAccess({ members, groupRoles: config.groupRoles, askHost });
}
