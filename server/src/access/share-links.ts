import { Failure } from '../core/failure.ts';
import type { ShareLink } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import { type Caller, nameOf, type SharedRepo } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
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

type Sharing = Pick<Services, 'repos' | 'shares' | 'views' | 'secrets' | 'clock' | 'resolveAccess'>;

/** Links that read one repo without an account; for its maintainers. Throws a Failure `not-found` or `forbidden`. */
export async function listShareLinks(
  services: Sharing,
  request: RepoRequest,
): Promise<{
  readonly repo: Repo;
  readonly links: readonly ShareLink[];
  /** The newest commit of the default branch. */
  readonly commit: string | undefined;
}> {
  const repo = await findAdministeredRepo(services, request);
  const { newest } = await findBranchHead(services.views, { repo, branch: undefined });
  return { repo, links: await services.shares.ofRepo(repo.id), commit: newest?.commit };
}

/** Answers the token in the clear: the only time that it can be seen. */
export async function createShareLink(
  services: Sharing,
  { wanted, ...request }: RepoRequest & { readonly wanted: WantedShareLink },
): Promise<{ readonly repo: Repo; readonly link: ShareLink; readonly token: string }> {
  const { shares, secrets, clock } = services;
  const repo = await findAdministeredRepo(services, request);
  if ((await shares.ofRepo(repo.id)).length >= MAX_LINKS)
    throw new Failure('over-limit', `The repo has ${MAX_LINKS} share links; revoke one that you do not need.`);
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
  if (link === undefined) throw new Failure('not-found', 'The repo was removed in the meantime.');
  return { repo, link, token };
}

export async function revokeShareLink(
  services: Sharing,
  { id, ...request }: RepoRequest & { readonly id: number },
): Promise<void> {
  const { shares, clock } = services;
  const repo = await findAdministeredRepo(services, request);
  const audit = auditBy(request.caller, { action: 'share-link.revoked', at: clock.now(), repo, shareLink: id });
  if (!(await shares.revoke(repo.id, id, audit))) throw new Failure('not-found', `The repo has no share link ${id}.`);
}

/**
 * What the token of a share link opens, or the text that `keepRepoToken` made of a repo token in an address: only this
 * server can make it, and it opens nothing once the repo has another token. Undefined: it opens nothing (any more).
 */
export async function openShare(
  { shares, repos, secrets, clock }: Pick<Services, 'shares' | 'repos' | 'secrets' | 'clock'>,
  token: string,
): Promise<SharedRepo | undefined> {
  const at = clock.now();
  if (token.startsWith('cvs_')) {
    const link = await shares.findByHash(secrets.hash(token));
    return link !== undefined && at < link.expiresAt ? { repoId: link.repoId, source: link.source } : undefined;
  }
  const [lookup, until] = (secrets.openText(token) ?? '').split(' ');
  if (lookup === undefined || !(at < Number(until))) return undefined;
  const repo = await repos.findByToken([lookup], at);
  return repo && { repoId: repo.id, source: false };
}

/** How long the cookie counts that an address with a repo token is turned into, in ms. */
const KEPT = 30 * DAY;

/** Turns a repo token into a text for a cookie; undefined: no repo has it. */
export async function keepRepoToken(
  { repos, secrets, clock }: Pick<Services, 'repos' | 'secrets' | 'clock'>,
  token: string,
): Promise<string | undefined> {
  const at = clock.now();
  for (const lookup of secrets.lookups(token))
    if ((await repos.findByToken([lookup], at)) !== undefined) return secrets.sealText(`${lookup} ${at + KEPT}`);
  return undefined;
}

/** The caller, with what share links open beside. */
export function withShares<C extends Exclude<Caller, { kind: 'repo' }>>(caller: C, shares: readonly SharedRepo[]): C {
  return shares.length === 0 ? caller : { ...caller, shares };
}
