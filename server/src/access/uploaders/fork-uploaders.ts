import { Failure, quoteValue } from '../../core/failure.ts';
import { effectiveSettings } from '../../core/repo/effective-settings.ts';
import type { ForkRun } from '../../core/repo/fork-run.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { TrustProblem } from '../../core/repo/workflow-run.ts';
import type { Texts } from '../../core/sentences.ts';
import { createDeadline, DeadlineExceeded } from '../../hosts/facts/deadline.ts';
import type { Host } from '../../ports/host.ts';
import { type Provider, ProviderFailure, type RefreshedRepo } from '../../ports/provider.ts';
import { refuseToken, type TokenAndRepo } from './refuse-token.ts';
import { checkNotSuspended } from './repo-of-token.ts';
import type { UploaderServices } from './uploader-services.ts';
import { type ForkRunClaim, runIdsOf, verifyForkRun } from './verify-fork-run.ts';

/** What an upload or close says beside its run, where a run without secrets may vouch for it. */
export interface ForkClaim {
  /** Undefined on a close, which names none. */
  readonly serviceName: string | undefined;
  readonly pullRequest: number | undefined;
}

interface Claim extends Omit<ForkRunClaim, 'pullRequest'> {
  /** Whose questions are counted together. */
  readonly address: string;
  readonly repoName: string | undefined;
  readonly fork?: ForkClaim | undefined;
  readonly spent?: number | undefined;
}

/** A repo, and the run without secrets that vouches for an upload to it. */
interface ForkUploader {
  readonly repo: Repo;
  readonly fork: ForkRun;
}

/** How long the host may take, in ms: clients give up after ten seconds. */
const TIME_LIMIT = 8_000;
const WHOLE_ANSWER = 9_000;
const MIN_TIME_LIMIT = 1_000;

/**
 * The upload or close of a run without secrets (rule 29), by the run alone, for a repo that takes them. Undefined:
 * nothing may be told, not even that the repo is here. Else throws a Failure.
 */
export async function identifyByRun(services: UploaderServices, claim: Claim): Promise<ForkUploader | undefined> {
  const { fork, repoName } = claim;
  const found = fork && repoName && (await findNamed(services, fork, repoName));
  if (!found) return undefined;
  const { visibility, acceptForks } = effectiveSettings(found.repo, services.config);
  try {
    if (!acceptForks)
      throw refuse(repoName, {
        found: 'It accepts no uploads from runs without secrets, such as those of forks.',
        remedy: 'An administrator of the repo can change that with the setting accept_forks.',
      });
    return {
      repo: checkNotSuspended(found.repo),
      fork: await askHost(services, { ...claim, fork, repoName, ...found }),
    };
  } catch (error) {
    // Rule 28: of a private repo a stranger learns nothing.
    if (visibility !== 'public' && error instanceof Failure) return undefined;
    throw error;
  }
}

/** The same by a token of the run, which its host has vouched for. Throws a Failure `repo-token-unknown`. */
export async function identifyByForkToken(
  { repos, config }: UploaderServices,
  {
    claim,
    seen,
    fork,
  }: {
    readonly claim: TokenAndRepo & { readonly host: Host };
    readonly seen: RefreshedRepo;
    readonly fork: ForkRun;
  },
): Promise<ForkUploader> {
  const { service } = claim.host;
  const byOldName = async () => (claim.repoName === undefined ? undefined : repos.findByName(service, claim.repoName));
  const repo = (await repos.findByName(service, seen.name)) ?? (await byOldName());
  const isOther = repo?.providerId !== undefined && repo.providerId !== seen.id;
  if (repo === undefined || isOther || !effectiveSettings(repo, config).acceptForks)
    throw refuseToken(claim, {
      found: `The run ${fork.id} has no secrets: it comes from a fork or a bot.`,
      remedy:
        'Runs without secrets count only if this server has the repo and its setting accept_forks is on. One of ' +
        'the two is missing.',
    });
  return { repo: checkNotSuspended(repo), fork };
}

interface NamedRepo {
  readonly host: Host;
  readonly repo: Repo;
}

/** A close names no service: its repo is the first of that name. */
async function findNamed(
  { hosts, repos }: UploaderServices,
  { serviceName }: ForkClaim,
  repoName: string,
): Promise<NamedRepo | undefined> {
  for (const host of hosts.all) {
    if (serviceName !== undefined && !host.runs.isServiceName(serviceName)) continue;
    const repo = await repos.findByName(host.service, repoName);
    if (repo !== undefined) return { host, repo };
  }
  return undefined;
}

type Asked = Claim & NamedRepo & { readonly fork: ForkClaim; readonly repoName: string };

/** With this server's own credential, since the upload has none. */
async function askHost(services: UploaderServices, asked: Asked): Promise<ForkRun> {
  const { host, repo, repoName } = asked;
  const { provider } = host;
  if (provider === undefined)
    throw refuse(repoName, {
      found: `This server has no credential of its own for ${host.name}, so it cannot ask about the run.`,
      remedy: `The operator can set ${host.credential}.`,
    });
  try {
    const answer = await ask(services, asked, provider);
    if ('found' in answer) throw refuse(repoName, answer);
    return answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent')
      throw refuse(repoName, {
        found: `${host.name} does not let this server see the run.`,
        remedy: "The operator can check this server's credential and its rights (actions: read).",
      });
    if (!(error instanceof ProviderFailure) && !(error instanceof DeadlineExceeded)) throw error;
    throw new Failure(
      'unavailable',
      `No repo_token was sent, and ${host.name} did not say in time whether a run vouches for this in the repo ` +
        `${quoteValue(repo.name)}. Nothing was stored; send it again.`,
      { cause: error },
    );
  }
}

function ask(services: UploaderServices, asked: Asked, provider: Provider) {
  const { host, repo, runs, commits, address, spent = 0 } = asked;
  const { pullRequest } = asked.fork;
  const deadline = createDeadline(
    services.timers,
    Math.max(MIN_TIME_LIMIT, Math.min(TIME_LIMIT, WHOLE_ANSWER - spent)),
  );
  const claim = { host, repo: repo.name, repoId: repo.providerId, runs, commits, pullRequest };
  const ids = runIdsOf(asked, host);
  const question = { repo, address, runs: ids, provider, key: JSON.stringify([repo.id, ids, commits, pullRequest]) };
  return deadline(() =>
    services.checkRuns(question, (view, known) => verifyForkRun(services, view, { ...claim, known })),
  );
}

function refuse(repoName: string, problem: TrustProblem): Failure {
  const sentence = refused({ repoName: quoteValue(repoName), ...problem });
  return new Failure('repo-token-unknown', sentence, { field: 'repo_token' });
}

/** `repoName`: quoted. */
function refused({ repoName, found, remedy }: Texts<'repoName' | 'found' | 'remedy'>): string {
  return `No repo_token was sent, and no run vouches for this in the repo ${repoName}. ${found} ${remedy}`;
}
