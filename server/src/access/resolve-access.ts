import type { GroupRole } from '../core/repo/caller.ts';
import { type CallerAccount, type Grant, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { ResolveAccess } from '../ports/access.ts';
import type { Services } from '../services/services.ts';
import { createAskHost } from './ask-host.ts';

export function createResolveAccess(
  services: Pick<Services, 'members' | 'accounts' | 'hosts' | 'secrets' | 'clock' | 'config'>,
): ResolveAccess {
  const { groupRoles } = services.config;
  const askHost = createAskHost(services);
  return async (caller, repos) => {
    if (caller.kind !== 'user' || caller.account === undefined || caller.role === 'administrator') return caller;
    const { account } = caller;
    const others = repos.filter(({ owner }) => owner !== caller.user);
    if (others.length === 0) return caller;
    const granted = [...(await memberGrants(services, account, others)), ...groupGrants(groupRoles, account, others)];
    const known = { ...caller, grants: [...(caller.grants ?? []), ...granted] };
    const [only] = others;
    const isOptional = others.length > 1 || (only !== undefined && mayRead(known, only));
    const byHost = await askHost(account, others, { isOptional });
    return { ...known, grants: [...known.grants, ...byHost] };
  };
}

async function memberGrants(
  { members }: Pick<Services, 'members'>,
  { id }: CallerAccount,
  repos: readonly Repo[],
): Promise<readonly Grant[]> {
  const [only] = repos;
  if (repos.length > 1 || only === undefined) return members.ofAccount(id);
  const role = await members.role(only.id, id);
  return role === undefined ? [] : [{ repoId: only.id, role }];
}

function groupGrants(
  groupRoles: readonly GroupRole[],
  { issuer, groups }: CallerAccount,
  repos: readonly Repo[],
): readonly Grant[] {
  const own = groupRoles.filter((one) => one.issuer === issuer && groups.includes(one.group));
  return repos.flatMap((repo) =>
    own.filter(({ repos: form }) => isMeant(form, repo)).map(({ role }) => ({ repoId: repo.id, role })),
  );
}

function isMeant(form: string, { service, name }: Repo): boolean {
  const text = `${service}/${name}`.toLowerCase();
  const wanted = form.toLowerCase();
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted;
}
