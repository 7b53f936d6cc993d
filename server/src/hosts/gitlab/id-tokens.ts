import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { RunClaims } from '../../core/repo/run-claims.ts';
import type { HostIdTokens } from '../../ports/host.ts';
import { isCommitSha, isNumericId } from '../answers.ts';

/** ID tokens of GitLab CI's jobs (docs.gitlab.com, "OpenID Connect authentication using ID tokens"). */
export function gitlabIdTokens(issuers: readonly string[]): HostIdTokens {
  return { issuers, readClaims };
}

/** The commit and the whole ref are there from GitLab 16.0 on. */
function readClaims(claims: Readonly<Record<string, unknown>>): RunClaims | { readonly wrong: string } {
  const textOf = (name: string): string => {
    const value = claims[name];
    return typeof value === 'string' ? value : '';
  };
  const wrong = CHECKS.find(([name, fits]) => !fits(textOf(name)));
  if (wrong !== undefined) return { wrong: wrong[0] };
  const event = textOf('pipeline_source');
  return {
    repo: { id: textOf('project_id'), name: textOf('project_path') },
    run: textOf('pipeline_id'),
    number: undefined,
    hidesNumber: true,
    attempt: 1,
    commit: textOf('sha').toLowerCase(),
    ref: textOf('ref_path'),
    headBranch: event === 'merge_request_event' ? textOf('ref') : undefined,
    event,
    actor: textOf('user_login') || undefined,
  };
}

const isText = (text: string): boolean => text !== '';

const CHECKS: readonly (readonly [claim: string, fits: (text: string) => boolean])[] = [
  ['project_id', isNumericId],
  ['project_path', (text) => findNameProblem('gitlab', text) === undefined],
  ['pipeline_id', isNumericId],
  ['pipeline_source', isText],
  ['sha', isCommitSha],
  ['ref', isText],
  ['ref_path', isText],
];
