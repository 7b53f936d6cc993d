import type { ProviderTokenKind } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Host, Hosts } from '../../ports/host.ts';
import type { RepoStore } from '../../storage/store.ts';
import type { OpenedIdToken, VerifyIdToken } from './verify-id-token.ts';

/** A slow upload may arrive for minutes, in which its token was replaced: it is looked up again after this, in ms. */
const COUNTS_FOR = 10_000;

/** What a token is. An upload's is looked up once, at its beginning where it stands there, and handed on. */
export type ResolvedToken = { readonly token: string; readonly at: Timestamp } & (
  | { readonly kind: 'id-token'; readonly opened: OpenedIdToken }
  | { readonly kind: 'host'; readonly host: Host; readonly hostKind: ProviderTokenKind }
  /** For no host: the repo whose own it is, if there is one. */
  | { readonly kind: 'own'; readonly repo: Repo | undefined }
);

export interface ResolveTokenDeps {
  readonly hosts: Hosts;
  readonly repos: Pick<RepoStore, 'findByToken'>;
  readonly secrets: Pick<Secrets, 'lookups'>;
  readonly clock: Clock;
  readonly verifyIdToken: Pick<VerifyIdToken, 'isOne' | 'open'>;
}

/** Throws a Failure for an id-token that does not pass its check. */
export type ResolveToken = (claim: {
  readonly token: string;
  readonly repoName: string | undefined;
  /** The network that it came from. */
  readonly address: string;
  /** What was looked up while the upload arrived; it counts where it is of this token. */
  readonly before?: ResolvedToken | undefined;
}) => Promise<ResolvedToken>;

export function createResolveToken({ hosts, repos, secrets, clock, verifyIdToken }: ResolveTokenDeps): ResolveToken {
  return async (claim) => {
    const { token, before } = claim;
    const at = clock.now();
    if (before?.token === token && at - before.at < COUNTS_FOR) return before;
    if (verifyIdToken.isOne(token)) return { token, at, kind: 'id-token', opened: await verifyIdToken.open(claim) };
    for (const host of hosts.all) {
      const hostKind = host.tokens.kindOf(token);
      if (hostKind !== undefined) return { token, at, kind: 'host', host, hostKind };
    }
    return { token, at, kind: 'own', repo: await repos.findByToken(secrets.lookups(token), at) };
  };
}
