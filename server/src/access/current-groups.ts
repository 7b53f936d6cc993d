import { type Account, MAX_GROUPS } from '../core/repo/account.ts';
import { type AuditEntry, auditBy } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';
import type { CurrentGroups } from '../ports/access.ts';
import type { OpenIdSignIn } from '../ports/sign-in.ts';
import type { Services } from '../services/services.ts';
import type { AccountChange, AccountState } from '../storage/account-store.ts';

/** How long one server may ask for somebody's groups, in ms: longer than its calls take. */
const CLAIM = 60_000;
/** How long another server's answer is waited for by somebody whose groups no longer count, in ms. */
const OTHER_LIMIT = 5_000;
const LOOK_EVERY = 100;
/** After a failure, the provider is not asked about somebody for this long, in ms. */
const PAUSE = 15_000;

type Groups = Pick<Services, 'accounts' | 'openId' | 'secrets' | 'clock' | 'timers' | 'logger'> & {
  readonly config: Pick<Services['config'], 'adminGroup' | 'groupRoles' | 'groupsMaxAge'>;
};

export function createCurrentGroups(services: Groups): CurrentGroups {
  const { accounts, openId, clock, config } = services;
  const { adminGroup, groupRoles, groupsMaxAge: maxAge } = config;
  const groupsWithRights = [adminGroup ?? [], groupRoles].flat().map(({ group }) => group);
  const ageOf = ({ groupsAt }: Account): number => clock.now() - (groupsAt ?? Number.NEGATIVE_INFINITY);
  const auditEnd: CurrentGroups['auditEnd'] = ({ id, issuer, groups: before }, groups, reason) => {
    const lost = before.some((group) => groupsWithRights.includes(group) && !groups.includes(group));
    if (!lost || openId === undefined || issuer !== openId.issuer) return undefined;
    const of = (all: readonly string[]) => ({ groups: all.filter((group) => groupsWithRights.includes(group)) });
    const by = { kind: 'provider', service: openId.key } as const;
    const change = { before: of(before), after: { ...of(groups), reason } };
    return auditBy({ by }, { action: 'group-rights.ended', at: clock.now(), account: id, ...change });
  };
  const asking = openId === undefined ? undefined : createAsking({ ...services, openId, auditEnd });
  const end = async (account: Account): Promise<Account> => {
    const { id, groups, groupsAt, refreshToken } = account;
    if (groups.length > 0)
      await accounts.change(id, { groups: [] }, auditEnd(account, [], 'expired'), { groupsAt, refreshToken });
    return { ...account, groups: [] };
  };
  return {
    auditEnd,
    async of(account) {
      if (asking === undefined || account.issuer !== openId?.issuer || ageOf(account) < maxAge / 2) return account;
      const asked = asking.ask(account);
      // While they count nobody waits for the provider.
      if (ageOf(account) < maxAge) return account;
      const known = (await asked) ?? (await asking.ofOther(account));
      return ageOf(known) < maxAge ? known : end(known);
    },
    describe(account) {
      if (account.issuer !== openId?.issuer || groupsWithRights.length === 0) return undefined;
      return { until: (account.groupsAt ?? 0) + maxAge, isAskedAgain: account.refreshToken !== undefined };
    },
    settled: async () => asking?.settled(),
  };
}

type Asking = Groups & Pick<CurrentGroups, 'auditEnd'> & { readonly openId: OpenIdSignIn };

function createAsking(services: Asking) {
  const { accounts, clock, timers, logger } = services;
  const open = new Map<number, Promise<Account | undefined>>();
  const pausedUntil = new Map<number, Timestamp>();
  const askOnce = async (account: Account): Promise<Account | undefined> => {
    const { id, groupsAt, groupsAskedUntil } = account;
    const at = clock.now();
    if (account.refreshToken === undefined || at < (pausedUntil.get(id) ?? 0)) return account;
    const mine = { groupsAskedUntil: at + CLAIM };
    const isFree = (groupsAskedUntil ?? 0) <= at;
    const claimed = isFree && (await accounts.change(id, mine, undefined, { groupsAt, groupsAskedUntil }));
    if (!claimed) return undefined;
    try {
      const asked = await askProvider(services, claimed, at);
      pausedUntil.delete(id);
      if (asked.fields.groups === undefined) pausedUntil.set(id, clock.now() + PAUSE);
      return await settle(services, claimed, { ...asked, mine });
    } catch (error) {
      pausedUntil.set(id, clock.now() + PAUSE);
      logger.warn({ account: id, reason: reasonOf(error) }, 'could not refresh the groups of an account');
      return settle(services, claimed, { fields: {}, audit: undefined, mine });
    }
  };
  return {
    /** The account as it is then; undefined: another server asks. */
    ask(account: Account): Promise<Account | undefined> {
      const asked =
        open.get(account.id) ??
        askOnce(account)
          .catch((error) => {
            logger.warn({ account: account.id, reason: reasonOf(error) }, 'the groups of an account were not stored');
            return account;
          })
          .finally(() => open.delete(account.id));
      open.set(account.id, asked);
      return asked;
    },
    /** What another server is told. */
    async ofOther(account: Account): Promise<Account> {
      let known = account;
      for (let waited = 0; waited < OTHER_LIMIT; waited += LOOK_EVERY) {
        known = (await accounts.find(account.id)) ?? account;
        if (known.groupsAt !== account.groupsAt || (known.groupsAskedUntil ?? 0) <= clock.now()) break;
        await timers.sleep(LOOK_EVERY);
      }
      return known;
    },
    settled: async () => void (await Promise.all(open.values())),
  };
}

interface Asked {
  readonly fields: AccountChange;
  readonly audit: AuditEntry | undefined;
}

async function askProvider({ openId, secrets, auditEnd }: Asking, account: Account, at: Timestamp): Promise<Asked> {
  const refresh = secrets.openText(account.refreshToken ?? '');
  // Sealed under a key that is gone: it is of no use any more.
  if (refresh === undefined) return { fields: { refreshToken: undefined }, audit: undefined };
  const said = await openId.askAgain({ refresh, subject: account.subject });
  if (said === undefined)
    return { fields: { groups: [], refreshToken: undefined }, audit: auditEnd(account, [], 'ended') };
  const groups = said.groups?.slice(0, MAX_GROUPS);
  const refreshToken = secrets.sealText(said.refresh);
  if (groups === undefined) return { fields: { refreshToken }, audit: undefined };
  return { fields: { groups, groupsAt: at, refreshToken }, audit: auditEnd(account, groups, 'changed') };
}

/** Writes what was learned, unless somebody has signed in since: that is newer. */
async function settle(
  { accounts }: Asking,
  account: Account,
  { fields, audit, mine }: Asked & { readonly mine: AccountState },
): Promise<Account> {
  const changed = await accounts.change(account.id, { ...fields, groupsAskedUntil: undefined }, audit, mine);
  return changed ?? (await accounts.find(account.id)) ?? account;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
