import { Failure } from '../core/failure.ts';
import { RecentMap } from '../core/recent-map.ts';
import { type CallerAccount, type Grant, type GroupRole, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { ResolveAccess } from '../ports/access.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { HostAccess, HostSignIn, HostToken } from '../ports/sign-in.ts';
import type { Services } from '../services/services.ts';

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

/** How long an answer counts, in ms. */
const FRESH = 5 * 60_000;
/** How long it counts while the host does not answer, in ms. */
const STALE = 60 * 60_000;
/** After a failure, the host is not asked for this long, in ms: pages would wait for it one after another. */
const PAUSE = 15_000;
/** Answers that are remembered; of more the oldest goes. */
const MAX_ANSWERS = 20_000;

/** What a git host says that somebody may do in its repos; nothing, where they do not sign in at it. */
type AskHost = (
  account: CallerAccount,
  repos: readonly Repo[],
  how: { readonly isOptional: boolean },
) => Promise<readonly Grant[]>;

/** Remembers answers in this process for some minutes. */
function createAskHost(services: Pick<Services, 'accounts' | 'hosts' | 'secrets' | 'clock'>): AskHost {
  const { hosts, clock } = services;
  const remember = createMemory(clock);
  const useToken = createUseHostToken(services);
  return async (account, repos, { isOptional }) => {
    const signIn = hosts.all.map((host) => host.signIn).find((one) => one?.issuer === account.issuer);
    const there = repos.filter((repo) => signIn !== undefined && hosts.of(repo)?.signIn === signIn);
    const [only] = there;
    if (signIn === undefined || only === undefined) return [];
    try {
      const found = await remember(signIn, `${account.id}/${repos.length === 1 ? only.id : 'all'}`, () =>
        repos.length === 1 ? askOne(useToken, { account, signIn, repo: only }) : askAll(useToken, account, signIn),
      );
      return there.flatMap((repo) => toGrant(repo, found));
    } catch (error) {
      if (isOptional) return [];
      throw error;
    }
  };
}

async function askOne(
  useToken: UseHostToken,
  { account, signIn, repo }: { account: CallerAccount; signIn: HostSignIn; repo: Repo },
): Promise<readonly HostAccess[]> {
  const found = await useToken(account, signIn, (token) => signIn.readAccess({ token, repo: repo.name }));
  return found === undefined ? [] : [found];
}

function askAll(useToken: UseHostToken, account: CallerAccount, signIn: HostSignIn): Promise<readonly HostAccess[]> {
  return useToken(account, signIn, (token) => signIn.listAccess({ token }));
}

/** A name may mean another repo by now (rule 28): where the id is known, it decides. */
function toGrant(repo: Repo, found: readonly HostAccess[]): readonly Grant[] {
  const name = repo.name.toLowerCase();
  const access = found.find((one) =>
    repo.providerId === undefined ? one.name.toLowerCase() === name : one.id === repo.providerId,
  );
  return access === undefined ? [] : [{ repoId: repo.id, role: access.role }];
}

interface Answer {
  readonly found: readonly HostAccess[];
  readonly at: Timestamp;
}

function createMemory(clock: Clock) {
  const answers = new RecentMap<Answer>({ max: MAX_ANSWERS });
  const asked = new Map<string, Promise<readonly HostAccess[]>>();
  const silentUntil = new Map<string, Timestamp>();
  const ask = async (key: string, question: () => Promise<readonly HostAccess[]>): Promise<readonly HostAccess[]> => {
    const found = await question();
    answers.set(key, { found, at: clock.now() });
    return found;
  };
  return async (
    { issuer, name }: HostSignIn,
    key: string,
    question: () => Promise<readonly HostAccess[]>,
  ): Promise<readonly HostAccess[]> => {
    const age = clock.now() - (answers.get(key)?.at ?? Number.NEGATIVE_INFINITY);
    const known = answers.get(key)?.found;
    if (known !== undefined && age < FRESH) return known;
    try {
      if (clock.now() < (silentUntil.get(issuer) ?? 0)) throw new ProviderFailure('transient', 'It did not answer.');
      const open = asked.get(key) ?? ask(key, question).finally(() => asked.delete(key));
      asked.set(key, open);
      return await open;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.status === 401) throw signInAgain(name);
      // An organization may want more of this person than a sign-in; others may see it.
      if (error.kind === 'permanent') return [];
      const isSilent = error.kind === 'transient' && clock.now() >= (silentUntil.get(issuer) ?? 0);
      if (isSilent) silentUntil.set(issuer, clock.now() + PAUSE);
      if (known !== undefined && age < STALE) return known;
      throw new Failure('unavailable', `${name} could not be asked what you can see; try again when it is available.`, {
        cause: error,
      });
    }
  };
}

/** A token is renewed this long before it expires, in ms. */
const EARLY = 60_000;

/** Asks a host with somebody's own token, renewed where it must be. Throws a Failure `forbidden` without one. */
type UseHostToken = <T>(account: CallerAccount, signIn: HostSignIn, ask: (token: string) => Promise<T>) => Promise<T>;

function createUseHostToken(services: Pick<Services, 'accounts' | 'secrets' | 'clock'>): UseHostToken {
  const { accounts, secrets, clock } = services;
  // A refresh token works once: two requests must not both use it.
  const renewing = new Map<number, Promise<HostToken | undefined>>();
  const renew = async (id: number, signIn: HostSignIn, refresh: string): Promise<HostToken | undefined> => {
    const token = await signIn.renew(refresh);
    await accounts.change(id, { hostToken: token && secrets.sealText(JSON.stringify(token)) });
    return token;
  };
  return async ({ id }, signIn, ask) => {
    const account = await accounts.find(id);
    const text = account?.hostToken === undefined ? undefined : secrets.openText(account.hostToken);
    const stored = text === undefined ? undefined : (JSON.parse(text) as HostToken);
    const isOver = stored?.expiresAt !== undefined && clock.now() >= stored.expiresAt - EARLY;
    if (stored === undefined || (isOver && stored.refresh === undefined)) throw signInAgain(signIn.name);
    if (!isOver) return ask(stored.access);
    const open = renewing.get(id) ?? renew(id, signIn, stored.refresh ?? '').finally(() => renewing.delete(id));
    renewing.set(id, open);
    const token = await open;
    if (token === undefined) throw signInAgain(signIn.name);
    return ask(token.access);
  };
}

/** The host has ended what it gave us. */
function signInAgain(host: string): Failure {
  return new Failure('forbidden', `${host} has ended your sign-in. Sign out here, and sign in with ${host} again.`);
}
