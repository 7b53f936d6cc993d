import type { ValidFile } from '@coverage/shared/coverage-file';
import { readKeptRules } from '../closing/read-rules.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import type { Repo } from '../core/repo/repo.ts';
import { effectiveRules, NO_FLOORS, type RepoRules } from '../core/repo/repo-rules.ts';
import type { Services } from '../services/services.ts';

type Asked = { readonly build: Pick<BuildView, 'result'> | undefined; readonly repo: Repo };

/** The repo's file that judged a build; undefined: there was none, or it is not kept. Nobody is asked. */
export async function readBuildFile(
  { facts }: Pick<Services, 'facts'>,
  { build, repo }: Asked,
): Promise<(ValidFile & { readonly commit: string }) | undefined> {
  const commit = build?.result?.rules?.file?.commit;
  const read = commit === undefined ? undefined : await readKeptRules({ facts }, { repo, commit });
  return commit !== undefined && read?.kind === 'valid' ? { ...read.file, commit } : undefined;
}

/** What it said of files, flags and groups. */
export async function readBuildRules(
  services: Pick<Services, 'facts'>,
  asked: Asked,
): Promise<{ readonly rules: RepoRules; readonly commit: string } | undefined> {
  const found = await readBuildFile(services, asked);
  if (found === undefined) return undefined;
  const { file, commit } = found;
  const sources = { settings: asked.repo.settings, file, floors: NO_FLOORS, at: 0, branch: undefined };
  return { rules: effectiveRules(sources), commit };
}
