import { Failure } from '../core/failure.ts';
import { LOCAL_ISSUER } from '../core/repo/account.ts';
import { ADMIN_USER, type Caller, type PersonCaller, type SharedRepo } from '../core/repo/caller.ts';
import type { PersonalToken } from '../core/repo/repo.ts';
import { describeToken, describeUnknownToken } from '../core/repo/token-kind.ts';
import type { Texts } from '../core/sentences.ts';
import type { Services } from '../services/services.ts';
import { isTokenScheme, splitAuthorization } from './authorization-header.ts';
import { callerOf, USE_NOTED_AFTER } from './sessions.ts';
import { withShares } from './share-links.ts';

const HOW_TO_SIGN_IN = 'Send Authorization: token <personal token>; `npm run token -- create --user <name>` makes one.';

/** What a request brings to prove who sent it. */
export interface Credentials {
  /** The Authorization header; undefined without one. */
  readonly authorization: string | undefined;
  /** `?repo_token=`; undefined without one. */
  readonly repoToken: string | undefined;
  /** Who is signed in in the browser that asks; undefined: nobody. */
  readonly person?: PersonCaller | undefined;
  /** Whether that person's own page asks, or nothing can be changed. */
  readonly isPersonProven?: boolean;
  /** What share links have opened in this browser. */
  readonly shares?: readonly SharedRepo[];
}

type Known = Pick<Services, 'tokens' | 'accounts' | 'groups' | 'repos' | 'secrets' | 'clock' | 'hosts'> & {
  readonly config: Pick<Services['config'], 'adminToken' | 'adminGroup'>;
};

/**
 * The user who asks. Throws a Failure `credential-missing` without a header, `credential-unknown` for a wrong one.
 */
export async function identifyCaller(
  services: Known,
  { authorization, person, isPersonProven }: Credentials,
): Promise<Caller> {
  if (authorization === undefined && person !== undefined) {
    if (isPersonProven === true) return person;
    throw new Failure(
      'forbidden',
      'A browser’s sign-in alone cannot change anything: also send the form token of its page, as X-CSRF-Token, or ' +
        'use a personal token in the Authorization header.',
    );
  }
  if (authorization === undefined) throw new Failure('credential-missing', personalTokenMissing(HOW_TO_SIGN_IN));
  const token = readToken(authorization);
  const user = await findUser(services, token);
  if (user !== undefined) return user;
  throw unknownCredential(services, token, 'no personal token');
}

/**
 * A reader: a user, the holder of a repo token (in the header or in the query), or a stranger. A credential that
 * is given must be right anyway.
 */
export async function identifyReader(
  services: Known,
  { authorization, repoToken, person, isPersonProven, shares = [] }: Credentials,
): Promise<Caller> {
  const { repos, secrets, clock, hosts } = services;
  const findRepo = (token: string) => repos.findByToken(secrets.lookups(token), clock.now());
  if (authorization !== undefined) {
    const token = readToken(authorization);
    const user = await findUser(services, token);
    const repo = user === undefined ? await findRepo(token) : undefined;
    const caller = repo === undefined ? user : ({ kind: 'repo', repoId: repo.id } as const);
    if (caller === undefined) throw unknownCredential(services, token, 'no personal token and no repo token');
    return caller;
  }
  if (repoToken === undefined)
    return withShares(person !== undefined && isPersonProven === true ? person : { kind: 'anonymous' }, shares);
  const repo = await findRepo(repoToken);
  if (repo !== undefined) return { kind: 'repo', repoId: repo.id };
  throw new Failure(
    'repo-token-unknown',
    `No repo has this repo_token: it is ${describeUnknownToken(repoToken, hosts)}. Use the repo's current token.`,
    { field: 'repo_token' },
  );
}

function readToken(authorization: string): string {
  const { scheme, token } = splitAuthorization(authorization);
  if (isTokenScheme(scheme) && token !== '') return token;
  throw new Failure('credential-unknown', headerUnreadable(describeHeader(scheme, token), HOW_TO_SIGN_IN));
}

async function findUser(services: Known, token: string): Promise<Caller | undefined> {
  const { tokens, secrets, clock, config } = services;
  const { adminToken } = config;
  if (adminToken !== undefined && secrets.equal(token, adminToken))
    return { kind: 'user', user: ADMIN_USER, role: 'administrator' };
  const known = await tokens.findByHash(secrets.hash(token));
  const at = clock.now();
  if (known === undefined || (known.expiresAt !== undefined && at >= known.expiresAt)) return undefined;
  const owner = await ownerOf(services, known);
  const caller = owner && { ...owner, tokenId: known.id };
  if (caller !== undefined && at - (known.usedAt ?? 0) >= USE_NOTED_AFTER) await tokens.noteUse(known.id, at);
  return caller;
}

/** A token made on a page may do what its account may now; undefined: the account is disabled. */
async function ownerOf(
  { accounts, config, groups }: Known,
  { accountId, user, role }: PersonalToken,
): Promise<PersonCaller | undefined> {
  const account = await (accountId === undefined
    ? accounts.findBySubject(LOCAL_ISSUER, user)
    : accounts.find(accountId));
  if (account?.disabledAt !== undefined) return undefined;
  const caller = account && callerOf(await groups.of(account), config.adminGroup);
  return accountId === undefined ? { kind: 'user', user, role, account: caller?.account } : caller;
}

function unknownCredential({ hosts }: Known, token: string, none: string): Failure {
  const held = describeToken(token, hosts);
  const sentence = tokenNotKnown({ held, none, how: HOW_TO_SIGN_IN });
  return new Failure('credential-unknown', sentence);
}

/** Any other first word may be part of a token. */
const SCHEME = /^[A-Za-z-]{1,12}$/;

/** A header of one word may be the bare token: it is not repeated. */
function describeHeader(scheme: string, token: string): string {
  if (token === '')
    return isTokenScheme(scheme) ? `has the scheme ${scheme} and no token` : 'has no scheme before its token';
  return SCHEME.test(scheme) ? `has the scheme "${scheme}"` : 'begins with no scheme';
}

function personalTokenMissing(how: string): string {
  return `This needs a personal token. ${how}`;
}

function headerUnreadable(seen: string, how: string): string {
  return `The Authorization header ${seen}. ${how}`;
}

function tokenNotKnown({ held, none, how }: Texts<'held' | 'none' | 'how'>): string {
  return `The Authorization header holds ${held}; ${none} like it is known here (any more). ${how}`;
}
