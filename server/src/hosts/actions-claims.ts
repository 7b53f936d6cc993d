import type { RepoService } from '../core/repo/repo.ts';
import { findNameProblem } from '../core/repo/repo-name.ts';
import type { RunClaims } from '../core/repo/run-claims.ts';
import { isCommitSha, isNumericId } from './answers.ts';

/** Every claim is a text. */
type Check = readonly [claim: string, fits: (text: string) => boolean];

const isText = (text: string): boolean => text !== '';
const CHECKS: readonly Check[] = [
  ['run_id', isNumericId],
  ['run_number', (text) => text === '' || isNumericId(text)],
  ['run_attempt', isNumericId],
  ['sha', isCommitSha],
  ['ref', isText],
  ['event_name', isText],
];

/**
 * What an ID token of GitHub Actions says (docs.github.com, "OpenID Connect reference"), or of what came from it.
 * `needsId`: whether every version of the host names the repo's id.
 */
export function readActionsClaims(
  claims: Readonly<Record<string, unknown>>,
  { service, needsId }: { readonly service: RepoService; readonly needsId: boolean },
): RunClaims | { readonly wrong: string } {
  const textOf = (name: string): string => {
    const value = claims[name];
    return typeof value === 'string' ? value : '';
  };
  const ofRepo: readonly Check[] = [
    ['repository_id', (text) => isNumericId(text) || (text === '' && !needsId)],
    ['repository', (text) => findNameProblem(service, text) === undefined],
  ];
  const wrong = [...ofRepo, ...CHECKS].find(([name, fits]) => !fits(textOf(name)));
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
