import { readKeptRules } from '../closing/read-rules.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import type { Repo } from '../core/repo/repo.ts';
import { effectiveRules, NO_FLOORS, type RepoRules } from '../core/repo/repo-rules.ts';
import type { Services } from '../services/services.ts';

/** What the repo's file said when it judged a build; undefined: there was none, or it is not kept. Nobody is asked. */
export async function readBuildRules(
  { facts }: Pick<Services, 'facts'>,
  { build, repo }: { readonly build: Pick<BuildView, 'result'>; readonly repo: Repo },
): Promise<{ readonly rules: RepoRules; readonly commit: string } | undefined> {
  const commit = build.result?.rules?.file?.commit;
  const read = commit === undefined ? undefined : await readKeptRules({ facts }, { repo, commit });
  if (commit === undefined || read?.kind !== 'valid') return undefined;
  const sources = { settings: repo.settings, file: read.file.file, floors: NO_FLOORS, at: 0, branch: undefined };
  return { rules: effectiveRules(sources), commit };
}
