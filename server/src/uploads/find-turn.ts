import type { FindRepoByToken } from '../access/uploaders/find-repo-by-token.ts';
import type { VerifyIdToken } from '../access/uploaders/verify-id-token.ts';
import type { VouchedTokens } from '../access/uploaders/vouched-tokens.ts';
import type { GitHosts } from '../core/repo/git-host.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { RepoStore } from '../storage/store.ts';

/** What is known of an upload before all of it is checked. */
export interface EarlyClaim {
  /** The job's own token, where it was found. */
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  /** The job has none, so that the header's counts. */
  readonly hasNoToken: boolean;
  /** The token of the Authorization header. */
  readonly headerToken: string | undefined;
}

/** The id of the repo whose token came; undefined where only the whole upload, or its host, can say. */
export interface FindTurn {
  /**
   * Throws the Failure of findRepoByToken, or of an id-token's check, for a token that nobody knows: no further byte
   * of it is looked at.
   */
  early(claim: EarlyClaim): Promise<number | undefined>;
  /** By a text that may be a token, and may be none. */
  late(token: string): Promise<number | undefined>;
}

export interface FindTurnDeps {
  readonly repos: Pick<RepoStore, 'findByToken'>;
  readonly secrets: Pick<Secrets, 'lookups'>;
  readonly clock: Clock;
  readonly hosts: GitHosts;
  readonly findRepoByToken: FindRepoByToken;
  readonly verifyIdToken: Pick<VerifyIdToken, 'isOne' | 'findRepoId'>;
  readonly vouchedTokens: Pick<VouchedTokens, 'find'>;
}

/** Whose turn it is, cheaply; who uploads is found out once the upload is checked. */
export function createFindTurn(deps: FindTurnDeps): FindTurn {
  const { repos, secrets, clock, hosts, findRepoByToken, verifyIdToken, vouchedTokens } = deps;
  const isOfHost = (token: string): boolean => hosts.all.some(({ tokens }) => tokens.kindOf(token) !== undefined);
  const find = async (token: string): Promise<number | undefined> =>
    isOfHost(token) ? vouchedTokens.find(token) : (await repos.findByToken(secrets.lookups(token), clock.now()))?.id;
  return {
    async early({ token, repoName, hasNoToken, headerToken }) {
      const decisive = token ?? (hasNoToken ? headerToken : undefined);
      if (decisive !== undefined && verifyIdToken.isOne(decisive)) return verifyIdToken.findRepoId(decisive);
      if (decisive !== undefined && !isOfHost(decisive))
        return (await findRepoByToken({ token: decisive, repoName })).id;
      const shown = decisive ?? headerToken;
      return shown === undefined ? undefined : find(shown);
    },
    late: find,
  };
}
