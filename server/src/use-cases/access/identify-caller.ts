import { Failure, quoteValue } from '../../domain/failure.ts';
import { ADMIN_USER, type Caller } from '../../domain/repo/caller.ts';
import type { GitHosts } from '../../domain/repo/git-host.ts';
import { describeToken } from '../../domain/repo/token-kind.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { RepoStore, TokenStore } from '../../ports/store.ts';

/** What a request brings to prove who sent it. */
export interface Credentials {
  /** The Authorization header; undefined without one. */
  readonly authorization: string | undefined;
  /** `?repo_token=`; undefined without one. */
  readonly repoToken: string | undefined;
}

export interface IdentifyDeps {
  readonly tokens: Pick<TokenStore, 'findByHash'>;
  readonly repos: Pick<RepoStore, 'findByToken'>;
  readonly secrets: Pick<Secrets, 'hash' | 'equal' | 'lookups'>;
  readonly clock: Clock;
  /** ADMIN_TOKEN. */
  readonly adminToken: string | undefined;
  /** Whose tokens may be sent here by mistake. */
  readonly hosts: GitHosts;
}

export type Identify = (credentials: Credentials) => Promise<Caller>;

const HOW = 'Send Authorization: token <personal token>; `npm run token -- create --user <name>` makes one.';

/**
 * The user who asks. Throws a Failure `credential-missing` without a header, `credential-unknown` for a wrong one.
 */
export function createIdentifyCaller(deps: IdentifyDeps): Identify {
  return async ({ authorization }) => {
    if (authorization === undefined) throw new Failure('credential-missing', `This needs a personal token. ${HOW}`);
    return identifyUser(deps, authorization);
  };
}

/**
 * Whoever reads: a user, the holder of a repo token, or nobody known. A credential that is given must be right all the
 * same.
 */
export function createIdentifyReader(deps: IdentifyDeps): Identify {
  const { repos, secrets, clock } = deps;
  return async ({ authorization, repoToken }) => {
    if (authorization !== undefined) return identifyUser(deps, authorization);
    if (repoToken === undefined) return { kind: 'anonymous' };
    const repo = await repos.findByToken(secrets.lookups(repoToken), clock.now());
    if (repo !== undefined) return { kind: 'repo', repoId: repo.id };
    throw new Failure(
      'repo-token-unknown',
      `No repo has this repo_token: it is ${describeToken(repoToken, deps.hosts)}. Use the repo's current token.`,
      { field: 'repo_token' },
    );
  };
}

async function identifyUser(deps: IdentifyDeps, authorization: string): Promise<Caller> {
  const { tokens, secrets, adminToken, hosts } = deps;
  const [, scheme = '', token = ''] = /^(\S*)\s*(.*?)\s*$/s.exec(authorization) ?? [];
  if (!['token', 'bearer'].includes(scheme.toLowerCase()) || token === '') {
    throw new Failure('credential-unknown', `The Authorization header ${describeHeader(scheme, token)}. ${HOW}`);
  }
  if (adminToken !== undefined && secrets.equal(token, adminToken))
    return { kind: 'user', user: ADMIN_USER, role: 'administrator' };
  const known = await tokens.findByHash(secrets.hash(token));
  if (known !== undefined) return { kind: 'user', user: known.user, role: known.role };
  const sentence =
    `The Authorization header holds ${describeToken(token, hosts)}; no personal token like it is known here ` +
    '(any more).';
  throw new Failure('credential-unknown', `${sentence} ${HOW}`);
}

/** A header of one word may be the bare token: it is not repeated. */
function describeHeader(scheme: string, token: string): string {
  if (token === '')
    return /^(token|bearer)$/i.test(scheme)
      ? `has the scheme ${scheme} and no token`
      : 'has no scheme before its token';
  return `has the scheme ${quoteValue(scheme, 20)}`;
}
