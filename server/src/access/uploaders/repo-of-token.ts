import { Failure, quoteValue } from '../../core/failure.ts';
import type { GitHosts } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { describeUnknownToken } from '../../core/repo/token-kind.ts';
import type { Texts } from '../../core/sentences.ts';
import { createDeadline } from '../../hosts/facts/deadline.ts';
import { refreshRepo } from '../../hosts/facts/refresh-repo.ts';
import type { Services } from '../../services/services.ts';

interface TokenClaim {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
}

/** The repo whose own token this is. Throws a Failure `repo-token-unknown` that never shows the token. */
export function requireRepo(repo: Repo | undefined, claim: TokenClaim, hosts: GitHosts): Repo {
  if (repo !== undefined) return checkNotSuspended(repo);
  throw new Failure('repo-token-unknown', unknownToken(claim, hosts), { field: 'repo_token' });
}

/** The repo, unless nobody may write to it (rule 28). */
export function checkNotSuspended(repo: Repo): Repo {
  if (repo.suspended === undefined) return repo;
  const sentence = `The repo ${quoteValue(repo.name)} is suspended: ${repo.suspended}`;
  throw new Failure('repo-token-unknown', sentence, { field: 'repo_token' });
}

function unknownToken({ token, repoName }: TokenClaim, hosts: GitHosts): string {
  const asked = repoName && quoteValue(repoName);
  if (token === undefined) {
    const taken = hosts.all.map(({ name, tokens }) => ({ name, tokens: tokens.words.accepted }));
    return repoNotFound({ repoName: asked, seen: 'no repo_token was sent', next: waysToSignUpload(taken) });
  }
  const taken = hosts.all.map(({ name, tokens }) => ({ name, tokens: tokens.words.ofJob }));
  const seen = `repo_token is ${describeUnknownToken(token, hosts)}`;
  return repoNotFound({ repoName: asked, seen, next: useCurrentToken(taken) });
}

/** `asked`: what comes after "find": `a repo` or `the repo "acme/shop"`. `seen`: what came in place of its token. */
function repoNotFound({
  repoName,
  seen,
  next,
}: Texts<'seen' | 'next'> & { readonly repoName: string | undefined }): string {
  return `Couldn't find ${repoName === undefined ? 'a repo' : `the repo ${repoName}`}: ${seen}. ${next}`;
}

/** `hosts`: each with the tokens that are taken of it. */
function waysToSignUpload(hosts: readonly { readonly name: string; readonly tokens: string }[]): string {
  const others = hosts.map(({ name, tokens }) => `, or on ${name} ${tokens} with repo_name, <owner>/<name>`);
  return (
    'Anybody can know a service_name and a service_job_id, so they prove nothing. Send in repo_token either the ' +
    `repo's own token${others.join('')}. Without either, only the run of a pull request from a fork counts, with ` +
    'its id, its pull request and repo_name, if the repo accepts such runs (accept_forks).'
  );
}

function useCurrentToken(hosts: readonly { readonly name: string; readonly tokens: string }[]): string {
  const others = hosts.map(({ name, tokens }) => ` On ${name} ${tokens} with repo_name works too.`);
  return (
    "Use the repo's current token: " +
    `GET /api/v1/repos/<service>/<owner>/<name> shows it to anybody who may administer the repo.${others.join('')}`
  );
}

/** What a client says of its repo, beside a repo's own token. */
interface NamedRepo {
  readonly repo: Repo;
  /** `<owner>/<name>`, where the client says so. */
  readonly repoName: string | undefined;
}

/** How long an upload waits for the host, and how seldom it is asked about one repo, in ms. */
const TIME_LIMIT = 2_000;
const ASKED_EVERY = 60_000;

/**
 * A sentence where the token is another repo's: a secret that was copied along. Undefined: nothing is wrong. The host
 * knows whether the repo was only renamed: then the new name is followed.
 */
export async function checkRepoName(
  services: Pick<Services, 'repos' | 'askProvider' | 'clock' | 'timers'>,
  { repo, repoName }: NamedRepo,
): Promise<string | undefined> {
  const { clock, timers } = services;
  if (repoName === undefined || isNamed(repo, repoName)) return undefined;
  const { seen } = repo;
  const isOld = seen === undefined || seen.at < clock.now() - ASKED_EVERY;
  const known = isOld && seen !== undefined ? { ...repo, seen: { ...seen, at: 0 } } : repo;
  const { repo: today } = await refreshRepo(services, { repo: known, deadline: createDeadline(timers, TIME_LIMIT) });
  if (isNamed(today, repoName)) return undefined;
  return otherRepo(quoteValue(repoName), quoteValue(today.name));
}

function isNamed({ name }: Repo, repoName: string): boolean {
  return name.toLowerCase() === repoName.toLowerCase();
}

function otherRepo(named: string, own: string): string {
  return (
    `repo_name is ${named}, but the token is that of the repo ${own}: the job counts there. ` +
    `Use the token of ${named}.`
  );
}
