import { showsText } from '../builds/find-builds.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { TreeFile } from '../core/coverage/file-tree.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

/** What no index holds is looked for in this many repos, in the newest builds of each and the files of its newest. */
export const LOOKED_AT = { repos: 20, builds: 100 } as const;
const SHOWN = { builds: 50, files: 20, inRepo: 10 } as const;
/** Fewer characters are in every path. */
const MIN_OF_PATH = 3;

export interface FoundFile {
  readonly repo: Repo;
  readonly buildId: number;
  readonly file: TreeFile;
}

export interface FoundTexts {
  readonly builds: readonly BuildSummary[];
  readonly files: readonly FoundFile[];
}

/** A repo with the newest build of its default branch. */
interface BuiltRepo {
  readonly repo: Repo;
  readonly newest: TrendPoint | undefined;
}

/** Builds by title, branch and person, and files by a part of their paths, in the repos that were built last. */
export async function searchTexts(
  services: Pick<Services, 'builds' | 'reader' | 'views'>,
  rows: readonly BuiltRepo[],
  text: string,
): Promise<FoundTexts> {
  const { views, builds, reader } = services;
  const findFiles = async ({ repo, newest }: BuiltRepo, query: string): Promise<readonly FoundFile[]> => {
    const report = newest && (await builds.report(newest.buildId));
    if (newest === undefined || report === undefined) return [];
    const choice = { folder: '', query, show: 'all', among: undefined, sort: 'missed' } as const;
    const { rows } = await reader.browse({ report, base: undefined, choice, offset: 0, limit: SHOWN.inRepo });
    return rows.map((file) => ({ repo, buildId: newest.buildId, file }));
  };
  const lately = rows.toSorted((a, b) => (b.newest?.at ?? 0) - (a.newest?.at ?? 0)).slice(0, LOOKED_AT.repos);
  const found: BuildSummary[] = [];
  const files: FoundFile[] = [];
  for (const row of lately) {
    const all = await views.list({ repoId: row.repo.id, branch: undefined, offset: 0, limit: LOOKED_AT.builds });
    found.push(...all.builds.filter((build) => showsText(build, text)));
    if (text.length >= MIN_OF_PATH && files.length < SHOWN.files) files.push(...(await findFiles(row, text)));
  }
  const newestFirst = found.toSorted((a, b) => b.createdAt - a.createdAt);
  return { builds: newestFirst.slice(0, SHOWN.builds), files: files.slice(0, SHOWN.files) };
}
