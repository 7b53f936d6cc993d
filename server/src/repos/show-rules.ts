import type { FileProblem } from '@coverage/shared/coverage-file';
import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { readKeptFile } from '../closing/read-rules.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import type { JudgedRules } from '../core/builds/judged-rules.ts';
import { Failure } from '../core/failure.ts';
import { mayAdminister, mayReadSource } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';

/** A file as it is in the repo, with what is wrong with it. */
export interface ShownFile {
  readonly path: string;
  readonly commit: string | undefined;
  /** Hostile text. */
  readonly lines: readonly string[];
  readonly problems: readonly FileProblem[];
}

export interface ShownRules {
  readonly repo: Repo;
  readonly maintains: boolean;
  readonly branch: string | undefined;
  /** The build that was judged by them; undefined: there is none yet. */
  readonly build: BuildView | undefined;
  readonly rules: JudgedRules | undefined;
  /** Undefined if there is none, it cannot be read now, or the caller may not read source. */
  readonly file: ShownFile | undefined;
}

/**
 * By which rules a build is judged: of `build`, else of the default branch's newest. The file is the one that the build
 * proposes, if it does. A Failure `not-found` as for the repo, and for a build of another one.
 */
export async function showRules(
  services: Pick<Services, 'facts' | 'resolveAccess' | 'repos' | 'views'>,
  { build: asked, ...request }: RepoRequest & { readonly build: number | undefined },
): Promise<ShownRules> {
  const { views } = services;
  const { repo, caller } = await findReadableRepo(services, request);
  const { branch, newest } = await findBranchHead(views, { repo, branch: undefined });
  const id = asked ?? newest?.id;
  const build = id === undefined ? undefined : await views.find(id);
  if (asked !== undefined && build?.repoId !== repo.id) {
    const { service, name } = repo;
    throw new Failure('not-found', `The repo ${name} has no build ${asked}.`, { repo: { service, name } });
  }
  const rules = build?.result?.rules;
  const commit = rules?.proposal?.commit ?? rules?.broken?.commit ?? rules?.file?.commit;
  const mayRead = commit !== undefined && mayReadSource(caller, repo);
  const file = mayRead ? await readKeptFile(services, { repo, commit }) : undefined;
  return { repo, maintains: mayAdminister(caller, repo), branch, build, rules, file };
}
