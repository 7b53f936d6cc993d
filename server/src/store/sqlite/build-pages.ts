import type { Build } from '../../domain/builds/build.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import { queryScope } from '../build-index.ts';
import type { Connection } from './connection.ts';
import { readRecords } from './records.ts';

const OF_REPO = 'FROM builds WHERE repo_id = :repoId';
// `scope = …` holds for no NULL, which lets the partial index answer.
const ON_BRANCH = `${OF_REPO} AND scope = :branch`;
const PAGE = ' ORDER BY sequence DESC LIMIT :limit OFFSET :offset';

/** A repo's builds page by page, of one connection. */
export function createBuildPages({ prepare, read }: Connection): Pick<BuildStore, 'list'> {
  const ofRepo = prepareBoth(prepare, OF_REPO);
  const onBranch = prepareBoth(prepare, ON_BRANCH);

  return {
    list: async ({ repoId, branch, offset, limit }) =>
      read(() => {
        const { count, page } = branch === undefined ? ofRepo : onBranch;
        const which = branch === undefined ? { repoId } : { repoId, branch: queryScope({ branch }) ?? null };
        return {
          total: Number(count.get(which)?.total),
          builds: readRecords<Build>(page.all({ ...which, limit, offset })),
        };
      }),
  };
}

function prepareBoth(prepare: Connection['prepare'], from: string) {
  return { count: prepare(`SELECT count(*) AS total ${from}`), page: prepare(`SELECT record ${from}${PAGE}`) };
}
