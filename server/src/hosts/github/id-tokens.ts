import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { RunClaims } from '../../core/repo/run-claims.ts';
import type { HostIdTokens } from '../../ports/host.ts';
import { isCommitSha, isNumericId } from '../git-names.ts';

/** Id-tokens of workflows' runs (docs.github.com, "OpenID Connect reference"): every claim is a text. */
export function githubIdTokens(settings: {
  /** GITHUB_OIDC_ISSUERS; undefined: GitHub's own. */
  readonly githubOidcIssuers: readonly string[] | undefined;
  readonly issuer: string;
}): HostIdTokens {
  return { issuers: settings.githubOidcIssuers ?? [settings.issuer], readClaims };
}

function readClaims(claims: Readonly<Record<string, unknown>>): RunClaims | { readonly wrong: string } {
  const textOf = (name: string): string => {
    const value = claims[name];
    return typeof value === 'string' ? value : '';
  };
  const wrong = CHECKS.find(([name, fits]) => !fits(textOf(name)));
  if (wrong !== undefined) return { wrong: wrong[0] };
  return {
    repo: { id: textOf('repository_id'), name: textOf('repository') },
    run: textOf('run_id'),
    number: textOf('run_number') || undefined,
    attempt: Number(textOf('run_attempt')),
    commit: textOf('sha').toLowerCase(),
    ref: textOf('ref'),
    headBranch: textOf('head_ref') || undefined,
    event: textOf('event_name'),
    actor: textOf('actor') || undefined,
  };
}

const isText = (text: string): boolean => text !== '';

const CHECKS: readonly (readonly [claim: string, fits: (text: string) => boolean])[] = [
  ['repository_id', isNumericId],
  ['repository', (text) => findNameProblem('github', text) === undefined],
  ['run_id', isNumericId],
  ['run_number', (text) => text === '' || isNumericId(text)],
  ['run_attempt', isNumericId],
  ['sha', isCommitSha],
  ['ref', isText],
  ['event_name', isText],
];
