import { Failure } from '../core/failure.ts';
import type { ShareLink } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import { type Caller, nameOf, type SharedRepo } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { ResolveAccess } from '../ports/access.ts';
import type { ShareStore } from '../storage/account-store.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { BuildViews } from '../storage/build-views.ts';
import type { RepoStore } from '../storage/store.ts';
import { findAdministeredRepo, type RepoRequest } from './find-administered-repo.ts';

const DAY = 86_400_000;
/** For one repo. */
const MAX_LINKS = 100;

/** What a maintainer says of a link. */
export interface WantedShareLink {
  readonly name: string;
  readonly days: number;
  readonly source: boolean;
}

/** Links that read one repo without an account; for its maintainers. Failures: `not-found`, `forbidden`. */
export interface ShareLinks {
  list(request: RepoRequest): Promise<{
    readonly repo: Repo;
    readonly links: readonly ShareLink[];
    /** The newest commit of the default branch. */
    readonly commit: string | undefined;
  }>;
  /** Answers the token in the clear: the only time that it can be seen. */
  create(
    request: RepoRequest & { readonly wanted: WantedShareLink },
  ): Promise<{ readonly repo: Repo; readonly link: ShareLink; readonly token: string }>;
  revoke(request: RepoRequest & { readonly id: number }): Promise<void>;
}

export interface ShareLinksDeps {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly shares: ShareStore;
  readonly views: Pick<BuildViews, 'closed'>;
  readonly secrets: Pick<Secrets, 'newShareToken' | 'hash'>;
  readonly clock: Clock;
  readonly resolveAccess: ResolveAccess;
}

export function createShareLinks(deps: ShareLinksDeps): ShareLinks {
  const { shares, secrets, clock } = deps;
  return {
    async list(request) {
      const repo = await findAdministeredRepo(deps, request);
      const { newest } = await findBranchHead(deps.views, { repo, branch: undefined });
      return { repo, links: await shares.ofRepo(repo.id), commit: newest?.commit };
    },
    async create({ wanted, ...request }) {
      const repo = await findAdministeredRepo(deps, request);
      if ((await shares.ofRepo(repo.id)).length >= MAX_LINKS)
        throw new Failure('over-limit', `The repo has ${MAX_LINKS} share links; revoke one that is not needed.`);
      const token = secrets.newShareToken();
      const createdAt = clock.now();
      const { name, source } = wanted;
      const expiresAt = createdAt + wanted.days * DAY;
      const by = request.caller.kind === 'user' ? nameOf(request.caller) : '';
      const event = { action: 'share-link.made', at: createdAt, repo, after: { name, source, expiresAt } } as const;
      const link = await shares.create(
        { repoId: repo.id, hash: secrets.hash(token), name, source, by, createdAt, expiresAt },
        auditBy(request.caller, event),
      );
      if (link === undefined) throw new Failure('not-found', 'The repo was removed meanwhile.');
      return { repo, link, token };
    },
    async revoke({ id, ...request }) {
      const repo = await findAdministeredRepo(deps, request);
      const audit = auditBy(request.caller, { action: 'share-link.revoked', at: clock.now(), repo, shareLink: id });
      if (!(await shares.revoke(repo.id, id, audit)))
        throw new Failure('not-found', `The repo has no share link ${id}.`);
    },
  };
}

/** What the token of a share link opens; undefined: nothing (any more). */
export type OpenShare = (token: string) => Promise<SharedRepo | undefined>;

/**
 * A share link's token, or what `keepRepoToken` made of a repo token that stood in an address: a text that only this
 * server can make, and that opens nothing once the repo has another token.
 */
export function createOpenShare(deps: {
  readonly shares: Pick<ShareStore, 'findByHash'>;
  readonly repos: Pick<RepoStore, 'findByToken'>;
  readonly secrets: Pick<Secrets, 'hash' | 'openText'>;
  readonly clock: Clock;
}): OpenShare {
  const { shares, repos, secrets, clock } = deps;
  return async (token) => {
    const at = clock.now();
    if (token.startsWith('cvs_')) {
      const link = await shares.findByHash(secrets.hash(token));
      return link !== undefined && at < link.expiresAt ? { repoId: link.repoId, source: link.source } : undefined;
    }
    const [lookup, until] = (secrets.openText(token) ?? '').split(' ');
    if (lookup === undefined || !(at < Number(until))) return undefined;
    const repo = await repos.findByToken([lookup], at);
    return repo && { repoId: repo.id, source: false };
  };
}

/** How long the cookie counts that an address with a repo token is turned into, in ms. */
const KEPT = 30 * DAY;

/** Turns a repo token into a text for a cookie; undefined: no repo has it. */
export type KeepRepoToken = (token: string) => Promise<string | undefined>;

export function createKeepRepoToken(deps: {
  readonly repos: Pick<RepoStore, 'findByToken'>;
  readonly secrets: Pick<Secrets, 'lookups' | 'sealText'>;
  readonly clock: Clock;
}): KeepRepoToken {
  const { repos, secrets, clock } = deps;
  return async (token) => {
    const at = clock.now();
    for (const lookup of secrets.lookups(token))
      if ((await repos.findByToken([lookup], at)) !== undefined) return secrets.sealText(`${lookup} ${at + KEPT}`);
    return undefined;
  };
}

/** The caller, with what share links open beside. */
export function withShares<C extends Exclude<Caller, { kind: 'repo' }>>(caller: C, shares: readonly SharedRepo[]): C {
  return shares.length === 0 ? caller : { ...caller, shares };
}
