import type { Build } from '../core/builds/build.ts';
import { isOfRun } from '../core/builds/run-origin.ts';
import { Failure } from '../core/failure.ts';
import { LOCAL_ISSUER } from '../core/repo/account.ts';
import { ADMIN_USER, type Caller, mayRead, type PersonCaller, type SharedRepo } from '../core/repo/caller.ts';
import type { PersonalToken, Repo } from '../core/repo/repo.ts';
import { describeToken, describeUnknownToken } from '../core/repo/token-kind.ts';
import type { Texts } from '../core/sentences.ts';
import type { Services } from '../services/services.ts';
import { isTokenScheme, splitAuthorization, tokenOfAuthorization } from './authorization-header.ts';
import { callerOf, USE_NOTED_AFTER } from './sessions.ts';
import { withShares } from './share-links.ts';
import { identifyUploader } from './uploaders/identify-uploader.ts';
import type { UploaderServices } from './uploaders/uploader-services.ts';
import { isIdToken } from './uploaders/verify-id-token.ts';

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

/** The build that somebody wants to read, and its repo as readers see it. */
export interface MeantBuild {
  readonly build: Build;
  readonly repo: Repo;
}

export interface BuildAsking extends Credentials {
  /** The network that asks. */
  readonly address: string;
}

/**
 * Who reads a build: every reader, and the holder of a host's token that could have uploaded to it. To
 * everybody else such a token says nothing, whether the build is here or not.
 */
export async function identifyBuildReader(
  services: UploaderServices,
  credentials: BuildAsking,
  find: () => Promise<MeantBuild | undefined>,
): Promise<Caller> {
  const { hosts } = services;
  const token = tokenOfAuthorization(credentials.authorization ?? '');
  const isOfHost =
    token !== undefined &&
    (isIdToken(services, token) || hosts.all.some(({ tokens }) => tokens.kindOf(token) !== undefined));
  const meant = isOfHost ? await find() : undefined;
  if (token === undefined || meant === undefined) return identifyReader(services, credentials);
  const { build, repo } = meant;
  const stranger = { kind: 'anonymous' } as const;
  if (mayRead(stranger, repo)) return stranger;
  if (await couldUpload(services, { token, build, repoName: repo.name, address: credentials.address }))
    return { kind: 'repo', repoId: repo.id };
  return identifyReader(services, credentials);
}

interface Upload {
  readonly token: string;
  readonly build: Build;
  readonly repoName: string;
  readonly address: string;
}

async function couldUpload(services: UploaderServices, { token, build, repoName, address }: Upload): Promise<boolean> {
  const runs = [build.vouchedRun?.id, build.serviceNumber];
  try {
    const { repo, run } = await identifyUploader(services, { token, repoName, address, runs, commits: undefined });
    return repo.id === build.repoId && (run === undefined || isOfRun(build, run, { byJobId: true }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Nor does it tell whether the build is here that its address sent too many.
    if (error.code === 'repo-token-unknown' || error.code === 'over-limit') return false;
    if (error.code !== 'unavailable') throw error;
    // Its own sentence names the repo.
    throw new Failure('unavailable', 'The token could not be checked just now. Try again later.', { cause: error });
  }
}
