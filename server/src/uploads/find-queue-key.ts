import { requireRepo } from '../access/uploaders/repo-of-token.ts';
import type { ResolvedToken, ResolveToken } from '../access/uploaders/resolve-token.ts';
import type { VerifyIdToken } from '../access/uploaders/verify-id-token.ts';
import type { VouchedTokens } from '../access/uploaders/vouched-tokens.ts';
import type { GitHosts } from '../core/repo/git-host.ts';

/** What is known of an upload before all of it is checked. */
export interface EarlyClaim {
  /** The job's own token, where it was found. */
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  /** The job has none, so that the header's counts. */
  readonly hasNoToken: boolean;
  /** The token of the Authorization header. */
  readonly headerToken: string | undefined;
  /** The network that it came from. */
  readonly address: string;
}

/** A token that came, and the id of its repo, where that can be said before its host is asked. */
export interface FoundQueueKey {
  readonly resolved: ResolvedToken;
  readonly repoId: number | undefined;
}

/** Undefined where only the whole upload can say which token counts. */
export interface FindQueueKey {
  /** Throws a Failure for a token that nobody knows, or that does not pass: no further byte is looked at. */
  early(claim: EarlyClaim): Promise<FoundQueueKey | undefined>;
  /** By a text that may be a token, and may be none. */
  late(token: string, address: string): Promise<FoundQueueKey | undefined>;
}

export interface FindQueueKeyDeps {
  readonly hosts: GitHosts;
  readonly resolveToken: ResolveToken;
  readonly verifyIdToken: Pick<VerifyIdToken, 'isOne'>;
  readonly vouchedTokens: Pick<VouchedTokens, 'find'>;
}

/** The key that an upload waits in line by, found cheaply; who uploads is found out once the upload is checked. */
export function createFindQueueKey({
  hosts,
  resolveToken,
  verifyIdToken,
  vouchedTokens,
}: FindQueueKeyDeps): FindQueueKey {
  const resolve = async (token: string, address: string): Promise<FoundQueueKey> => {
    const resolved = await resolveToken({ token, address, repoName: undefined });
    if (resolved.kind === 'host') return { resolved, repoId: vouchedTokens.find(token) };
    return { resolved, repoId: (resolved.kind === 'own' ? resolved.repo : resolved.opened.repo)?.id };
  };
  // An id-token is checked only where it is the one that counts.
  const peek = async (token: string, address: string) =>
    verifyIdToken.isOne(token) ? undefined : resolve(token, address);
  return {
    async early({ token, repoName, hasNoToken, headerToken, address }) {
      const decisive = token ?? (hasNoToken ? headerToken : undefined);
      if (decisive === undefined) return headerToken === undefined ? undefined : peek(headerToken, address);
      const found = await resolve(decisive, address);
      if (found.resolved.kind === 'own') requireRepo(found.resolved.repo, { token: decisive, repoName }, hosts);
      return found;
    },
    late: peek,
  };
}
