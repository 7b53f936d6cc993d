import type { FitsPath } from '@coverage/shared/path-patterns';
import { groupAsked } from '../closing/gather-rules.ts';
import { readKeptOwners } from '../closing/read-rules.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { fitsGroup, type GroupAsked } from '../core/builds/compose-groups.ts';
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

interface OfGroup {
  readonly build: BuildView;
  readonly repo: Repo;
  readonly id: string;
}

/** A group of a build, and what it was counted by: of several the first that makes it. */
export interface CountedGroup {
  readonly group: GroupResult;
  readonly asked: readonly GroupAsked[];
  /** The text of CODEOWNERS. */
  readonly owners: string | undefined;
}

/** By the file that judged the build, as it is kept. Undefined if it is not, or the build has no such group. */
export async function findCountedGroup(
  { facts }: Pick<Services, 'facts'>,
  { build, repo, id }: OfGroup,
): Promise<CountedGroup | undefined> {
  const { result } = build;
  const group = result?.groups?.find((one) => one.id === id);
  const judgedBy = group && (await readBuildRules({ facts }, { build, repo }));
  if (group === undefined || judgedBy === undefined) return undefined;
  const { rules, commit } = judgedBy;
  const asked = rules.groups.map(groupAsked).filter(({ digest }) => digest === group.digest);
  const owners = asked.some(({ files }) => files.kind === 'owner')
    ? await readKeptOwners({ facts }, { repo, commit })
    : undefined;
  return { group, asked, owners };
}

/** Which of the changed files are in a group of a build. Undefined as above. */
export async function readGroupFiles(
  services: Pick<Services, 'facts'>,
  of: OfGroup,
): Promise<GroupFilesOf | undefined> {
  const found = await findCountedGroup(services, of);
  if (found === undefined) return undefined;
  const { group, asked, owners } = found;
  const files = of.build.result?.patch?.files ?? [];
  for (const one of asked) {
    const isIn = fitsGroup(one, { name: group.name, files, owners });
    if (isIn !== undefined) return { group, isIn, flags: one.flags };
  }
  return undefined;
}
