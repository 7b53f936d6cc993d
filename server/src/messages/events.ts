// What a git host's message changed: answered to the host, and shown with the repo.
import type { Texts } from './values.ts';

export function answersForRun(build: string): string {
  return `build ${build} answers for the run, which brought no coverage`;
}

export function repoLost(repo: string, why: string): string {
  return `the App may not reach ${repo} any more (${why})`;
}

export function repoBack(repo: string): string {
  return `the App may reach ${repo} again`;
}

export function renamed(name: string): string {
  return `the repo is called ${name} now`;
}

/** `host`: undefined where nothing is asked. */
export function landingUnknown(branch: string, host = 'the provider'): string {
  return `what landed on ${branch} is asked again: ${host} gave no answer`;
}

export function countsFor({ build, branch, how }: Texts<'build' | 'branch' | 'how'>): string {
  return `build ${build} counts for ${branch} now (${how})`;
}

export function copiesHead(build: string): string {
  return `build ${build} of a fork is evaluated again: a branch of the repo points to its commit now`;
}

export function otherRepoAt({
  host,
  now,
  before,
}: Texts<'host' | 'now'> & { readonly before: string | undefined }): string {
  return `another repo at ${host} (id ${now}, not ${before})`;
}

export function nameNowMeans(name: string, what: string): string {
  return `The name ${name} now means ${what}.`;
}

export function repoSuspended(repo: string): string {
  return `the repo ${repo} is suspended`;
}

export function boundTo(id: string | undefined): string {
  return `the repo is bound to the id ${id}`;
}

export function defaultBranch(branch: string): string {
  return `its default branch is ${branch}`;
}

export function visibilityAt(host: string, visibility: string | undefined): string {
  return `at ${host} it is ${visibility}`;
}

export const UNSUSPENDED = 'it is suspended no more';

export function comparedAgain(build: string): string {
  return `build ${build} is compared again`;
}

export function deletedAt(host: string): string {
  return `It was deleted at ${host}.`;
}

export const SUSPENDED_AS_DELETED = 'the repo is suspended, since it was deleted';

export function noHost(service: string): string {
  return (
    `This server has no credential or no adapter for ${service}, so nothing is announced there. When it has, a ` +
    'restart tries again.'
  );
}

export const NO_CHECK_RUNS = 'The host of this repo shows no check runs.';

export function suspendedRepo(why: string): string {
  return `The repo is suspended, so nothing is announced there. ${why}`;
}

/** `state`: as the build was. */
export function endedWithRun({ build, state, conclusion }: Texts<'build' | 'state' | 'conclusion'>): string {
  return `build ${build} is ${state === 'open' ? 'closed' : 'judged again'}: its run ended (${conclusion})`;
}
