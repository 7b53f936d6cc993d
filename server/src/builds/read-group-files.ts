import type { FitsPath } from '@coverage/shared/path-patterns';
import { groupAsked } from '../closing/gather-rules.ts';
import { readKeptOwners } from '../closing/read-rules.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { fitsGroup } from '../core/builds/compose-groups.ts';
import type { GroupResult } from '../core/builds/group-result.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { readBuildRules } from './read-build-rules.ts';

/** A group of a build, and which files are in it. */
export interface GroupFilesOf {
  readonly group: GroupResult;
  readonly isIn: FitsPath;
  /** Only what the reports of these flags cover; none: all. */
  readonly flags: readonly string[];
}

/** By the file that judged the build, as it is kept. Undefined where it is not, or the build has no such group. */
export async function readGroupFiles(
  { facts }: Pick<Services, 'facts'>,
  { build, repo, id }: { readonly build: BuildView; readonly repo: Repo; readonly id: string },
): Promise<GroupFilesOf | undefined> {
  const { result } = build;
  const group = result?.groups?.find((one) => one.id === id);
  const judgedBy = group && (await readBuildRules({ facts }, { build, repo }));
  if (group === undefined || judgedBy === undefined) return undefined;
  const { rules, commit } = judgedBy;
  const asked = rules.groups.map(groupAsked);
  const owners = asked.some(({ files }) => files.kind === 'owner')
    ? await readKeptOwners({ facts }, { repo, commit })
    : undefined;
  const of = { name: group.name, files: result?.patch?.files ?? [], owners };
  for (const one of asked.filter(({ digest }) => digest === group.digest)) {
    const isIn = fitsGroup(one, of);
    if (isIn !== undefined) return { group, isIn, flags: one.flags };
  }
  return undefined;
}
