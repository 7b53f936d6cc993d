import type { Build } from '../core/builds/build.ts';
import { printable } from '../core/printable.ts';
import { type HostTerms, numberOf } from '../core/repo/git-host.ts';
import { capitalize } from './phrases.ts';

type NamedBuild = Pick<Build, 'message' | 'commit' | 'number' | 'pullRequest' | 'facts'>;

const MAX_TITLE = 200;

/**
 * What people know a build by: its pull request's title, else its commit's first line, else its commit; never the CI
 * run's number alone. Hostile text, in one line.
 */
export function titleOf(build: NamedBuild, terms: HostTerms): string {
  const { pullRequest } = build;
  return nameOf(build, terms) ?? (pullRequest === undefined ? refOf(build) : namePull(pullRequest, terms));
}

/** `Pull request #7` */
export function namePull(pullRequest: number, terms: HostTerms): string {
  return `${capitalize(terms.pullRequest)} ${numberOf(terms, pullRequest)}`;
}

/** The same where people gave it one. */
export function nameOf(build: NamedBuild, terms: HostTerms): string | undefined {
  const title = printable(build.facts?.pull?.title ?? '', MAX_TITLE);
  return title === '' ? subjectOf(build, terms) : title;
}

/** The first line of the commit's message; undefined for that of a merge which the git host made for the test alone. */
export function subjectOf(
  { message }: Pick<Build, 'message'>,
  { mergedBy }: Pick<HostTerms, 'mergedBy'>,
): string | undefined {
  const line = printable(message?.trim().split(/\r?\n/, 1)[0] ?? '', MAX_TITLE);
  return line === '' || mergedBy(line) !== undefined ? undefined : line;
}

/** Its commit as git shortens it, else its number: of a base, and wherever a build is only referred to. */
export function refOf({ commit, number }: Pick<Build, 'commit' | 'number'>): string {
  return commit === undefined ? `build ${printable(number, 60)}` : shortCommit(commit);
}

/** What is no sha, which uploads may send, keeps more of itself. */
export function shortCommit(commit: string): string {
  return /^[0-9a-f]{7,64}$/i.test(commit) ? commit.slice(0, 7) : printable(commit, 60);
}
