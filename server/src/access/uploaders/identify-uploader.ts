import type { JobFacts, Trust } from '../../core/builds/job.ts';
import { quoteValue } from '../../core/failure.ts';
import type { ForkRun } from '../../core/repo/fork-run.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { VouchedRun } from '../../core/repo/workflow-run.ts';
import type { Host } from '../../ports/host.ts';
import type { RefreshedRepo } from '../../ports/provider.ts';
import { adoptRepo } from './adopt-repo.ts';
import { type ForkClaim, identifyByForkToken, identifyByRun } from './fork-uploaders.ts';
import { refuseToken, type TokenAndRepo } from './refuse-token.ts';
import { checkNotSuspended, requireRepo } from './repo-of-token.ts';
import { type ResolvedToken, resolveToken } from './resolve-token.ts';
import { HAVE_REPO_MADE, HAVE_REPO_REPLACED, otherRepoNow, repoNotHere } from './sentences.ts';
import type { UploaderServices } from './uploader-services.ts';
import { type SentBesideToken, verifyIdToken } from './verify-id-token.ts';
import { verifyProviderToken } from './verify-provider-token.ts';
import type { RunClaim } from './verify-run.ts';

/** What an upload or close brings to say who sends it and for which repo. */
export interface UploaderClaim extends RunClaim, SentBesideToken {
  readonly token: string | undefined;
  /** What was looked up while the upload arrived. */
  readonly resolved?: ResolvedToken | undefined;
  /** `<owner>/<name>`, where the client says so. */
  readonly repoName: string | undefined;
  /** The network that it came from: what one causes at git hosts is counted together. */
  readonly address: string;
  /** Absent: no run without secrets counts here. */
  readonly fork?: ForkClaim | undefined;
  /** Milliseconds that the request has taken so far, so that the answer comes in time (wire.md). */
  readonly spent?: number | undefined;
}

export interface Uploader {
  readonly repo: Repo;
  /** Rule 29. */
  readonly trust: Trust;
  /** The run whose builds alone this uploader may touch (rule 29); undefined: any of the repo. */
  readonly run: VouchedRun | undefined;
  /** The upload alone says that it is of this run: a fork's run could have sent it. */
  readonly isRunClaimed?: boolean | undefined;
  /** For trust `run`: the run, with what it states. */
  readonly fork?: ForkRun;
  /** What counts in place of the upload's own words. */
  readonly facts?: Partial<JobFacts> | undefined;
  /** What the sender is told about how it was identified; it stands with the build itself otherwise. */
  readonly warning?: string | undefined;
}

/**
 * Every identity that upload and close accept: a repo's own token, or a token that its host vouches for. Throws a
 * Failure `repo-token-unknown` (it names the kind of token and the repo asked for, never the token) or `unavailable`.
 */
export async function identifyUploader(services: UploaderServices, claim: UploaderClaim): Promise<Uploader> {
  const { hosts } = services;
  const { token } = claim;
  if (token === undefined) {
    const byRun = await identifyByRun(services, claim);
    if (byRun !== undefined) return { ...byRun, trust: 'run', run: byRun.fork };
    return { repo: requireRepo(undefined, claim, hosts), trust: 'secret', run: undefined };
  }
  const resolved = await resolveToken(services, { ...claim, token, before: claim.resolved });
  if (resolved.kind === 'id-token') return verifyIdToken(services, { ...claim, token }, resolved.opened);
  if (resolved.kind === 'own')
    return { repo: requireRepo(resolved.repo, claim, hosts), trust: 'secret', run: undefined };
  const known = { ...claim, token, host: resolved.host, kind: resolved.hostKind };
  // Only a caller that the host confirms may learn whether this server has the repo.
  const { repo: seen, run, fork, isRunClaimed } = await verifyProviderToken(services, known);
  if (fork !== undefined)
    return { ...(await identifyByForkToken(services, { claim: known, seen, fork })), trust: 'run', run: fork };
  const repo = await findVouchedRepo(services, { claim: known, seen });
  return { repo: checkIdentity(repo, { claim: known, seen }), trust: 'provider', run, isRunClaimed };
}

interface VouchedRepo {
  readonly claim: TokenAndRepo & RunClaim & { readonly host: Host };
  readonly seen: RefreshedRepo;
}

/** By the name of today; a repo that was renamed at its provider is still known by the name that was asked for. */
async function findVouchedRepo(services: UploaderServices, { claim, seen }: VouchedRepo): Promise<Repo> {
  const { service, name: hostName } = claim.host;
  const names = new Set([seen.name, claim.repoName ?? seen.name]);
  for (const name of names) {
    const repo = await services.repos.findByName(service, name);
    if (repo !== undefined) return repo;
  }
  // A close has nothing to close in a repo that is not there.
  const closes = claim.commits === undefined;
  const made = closes ? undefined : await adoptRepo(services, { service, name: seen.name, providerId: seen.id });
  if (made !== undefined) return made;
  throw refuseToken(claim, {
    found: repoNotHere({ host: hostName, service, repo: quoteValue(seen.name) }),
    remedy: HAVE_REPO_MADE,
  });
}

/** Rule 28: a name that came to mean another repo of the provider is not written to. */
function checkIdentity(repo: Repo, { claim, seen }: VouchedRepo): Repo {
  if (repo.providerId === undefined || repo.providerId === seen.id) return checkNotSuspended(repo);
  throw refuseToken(claim, {
    found: otherRepoNow({ host: claim.host.name, now: seen.id, before: repo.providerId }),
    remedy: HAVE_REPO_REPLACED,
  });
}
