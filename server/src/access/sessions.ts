import { type Account, isLive, SESSION_LIMIT, type Session, userOf } from '../core/repo/account.ts';
import type { AdminGroup, PersonCaller, SignedIn } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';
import type { AuditSignIns, SignInTry } from './audit-sign-ins.ts';

/** Sessions of one account; of more the oldest end. */
const MAX_SESSIONS = 50;
/** How exactly the last use is known, in ms: a write for each request would cost more than it tells. */
export const USE_NOTED_AFTER = 5 * 60_000;

type Sessions = Pick<Services, 'accounts' | 'sessions' | 'secrets' | 'clock' | 'config' | 'groups'>;

/** Signs in. Answers the session's token, which only the browser keeps. */
export async function openSession(
  services: Sessions & { readonly auditSignIns: Pick<AuditSignIns, 'succeeded'> },
  account: Account,
  { browser, way, address }: SignInTry & { readonly browser: string },
): Promise<string> {
  const { accounts, sessions, secrets, clock, auditSignIns } = services;
  const token = secrets.newRandom();
  const at = clock.now();
  const times = { createdAt: at, seenAt: at, expiresAt: at + SESSION_LIMIT };
  const session = { hash: secrets.hash(token), accountId: account.id, ...times, browser: browser.slice(0, 200) };
  await sessions.open(session, MAX_SESSIONS, auditSignIns.succeeded({ way, address, account: account.id }));
  await accounts.change(account.id, { signedInAt: at });
  return token;
}

/** Undefined: nobody is signed in by this token (any more). */
export async function findSession(services: Sessions, token: string): Promise<SignedIn | undefined> {
  const { accounts, sessions, secrets, clock, groups, config } = services;
  const session = await sessions.find(secrets.hash(token));
  const stored = session && (await accounts.find(session.accountId));
  if (session === undefined || stored === undefined || stored.disabledAt !== undefined) return undefined;
  const account = await groups.of(stored);
  const at = clock.now();
  const caller = callerOf(account, config.adminGroup);
  // A session that rested while its person was an administrator ends, whatever they are since.
  const administrator = [caller, callerOf(stored, config.adminGroup)].some(({ role }) => role === 'administrator');
  if (!isLive(session, { at, administrator })) {
    await sessions.end(session.hash);
    return undefined;
  }
  if (at - session.seenAt >= USE_NOTED_AFTER) await sessions.noteUse(session.hash, at);
  return { account, session, caller };
}

export async function liveSessions(services: Sessions, account: Account): Promise<readonly Session[]> {
  const { sessions, clock, config } = services;
  const at = clock.now();
  const administrator = callerOf(account, config.adminGroup).role === 'administrator';
  return (await sessions.ofAccount(account.id)).filter((session) => isLive(session, { at, administrator }));
}

/** An account as who sends a request. */
export function callerOf(account: Account, adminGroup: AdminGroup): PersonCaller {
  const { id, issuer, name, groups } = account;
  const isOfGroup = adminGroup !== undefined && issuer === adminGroup.issuer && groups.includes(adminGroup.group);
  const role = account.administrator || isOfGroup ? 'administrator' : 'user';
  return { kind: 'user', user: userOf(account), role, account: { id, issuer, name, groups } };
}
