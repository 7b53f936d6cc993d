import { quoteValue } from '../failure.ts';
import type { Texts } from '../sentences.ts';
import type { Timestamp } from '../time.ts';
import type { GitHost, GitHosts } from './git-host.ts';
import type { AccessLost, Repo, RepoService } from './repo.ts';
import { findOtherUse, type TokenUse } from './token-use.ts';

/** Rule 28: why nothing is announced for a repo, or not all that it wishes for, and why it takes nothing. */
export function repoWarnings(
  repo: Pick<Repo, 'service' | 'suspended' | 'accessLost' | 'settings'>,
  hosts: GitHosts,
): readonly string[] {
  const warnings: string[] = [];
  const host = hosts.of(repo);
  if (repo.service !== 'manual' && host?.provider === undefined) {
    const reason = host
      ? `this server has no credential for ${repo.service}; set ${host.credential}`
      : `this version of the server does not support ${repo.service}`;
    warnings.push(`Nothing is announced: ${reason}.`);
  }
  const asksForMarks = repo.settings.annotations && host?.provider !== undefined;
  const unmarked = asksForMarks ? annotationsRefusal(repo.service, hosts) : undefined;
  if (unmarked !== undefined) warnings.push(`Missed lines are not marked: ${unmarked}.`);
  if (repo.accessLost !== undefined && host !== undefined && repo.accessLost.appId === host.app?.id)
    warnings.push(lostSentence(repo.accessLost, host));
  if (repo.suspended !== undefined) warnings.push(`The repo is suspended: ${repo.suspended}`);
  return warnings;
}

/** Whether the repo's token is used for two repos, for those who see the token. */
export function useWarnings(repo: Pick<Repo, 'name'>, uses: readonly TokenUse[], now: Timestamp): readonly string[] {
  const other = findOtherUse(repo, uses, now);
  if (other === undefined) return [];
  const client = quoteValue(other.client ?? '', 100);
  const day = new Date(other.at).toISOString().slice(0, 10);
  return [tokenUsedElsewhere({ named: quoteValue(other.named, 200), client, day })];
}

/**
 * Why uncovered lines of a service's repos cannot be marked beside the code, as the end of a sentence; undefined: they
 * can.
 */
export function annotationsRefusal(service: RepoService, hosts: GitHosts): string | undefined {
  const support = hosts.of({ service })?.checkRuns;
  if (support !== undefined) return support.refusal;
  const able = hosts.all.filter(({ checkRuns }) => checkRuns !== undefined).map(({ name }) => name);
  return `annotations are check runs of ${able.join(' and ')}, and the service of this repo is ${service}`;
}

function lostSentence({ how, at }: AccessLost, { accessLosses }: GitHost): string {
  const since = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return `Nothing has been announced since ${since} UTC: ${accessLosses[how]}. Failed deliveries are then retried.`;
}

function tokenUsedElsewhere({ named, client, day }: Texts<'named' | 'client' | 'day'>): string {
  return (
    `This repo’s token is also used by clients of ${named} (last on ${day}, by ${client}). Give ${named} its own ` +
    'token. If nobody meant to share this one, rotate it.'
  );
}
