import type { FlagResult } from '../../core/builds/build.ts';
import type { BuildSummary, BuildView, ResultDetails } from '../../core/builds/build-summary.ts';
import type { BuildViews, FileKind } from '../build-views.ts';
import { type EarlierResult, MAX_FAILING, withEarlierOverall } from '../earlier-overall.ts';
import { createReads } from './build-queries.ts';
import { createBuildTrends } from './build-trends.ts';
import type { Connection } from './connection.ts';
import { selectRecord, selectRecords } from './records.ts';

const OF_PULL = `
  SELECT s.record FROM builds b CROSS JOIN build_summaries s ON s.build_id = b.id
  WHERE b.repo_id = :repoId AND b.pull_request = :pullRequest ORDER BY b.sequence DESC LIMIT :limit OFFSET :offset`;

const FLAG_NAMES = 'SELECT name FROM flag_results WHERE build_id = ? ORDER BY position LIMIT ?';
const FILE_KINDS = `
  SELECT json_object('name', value ->> 'name', 'kind', value ->> 'kind') AS record
  FROM build_details, json_each(build_details.record, '$.fileChanges') WHERE build_id = ?`;

/** Binds the queries of pages and lists. */
export function createBuildViews(connection: Connection): BuildViews {
  const views = createStoredViews(connection);
  const readEarlier = async (buildId: number): Promise<EarlierResult> => {
    const result = (await views.summary(buildId))?.result;
    return { buildId, result, ...(await views.flags({ buildId, failingFirst: true, offset: 0, limit: MAX_FAILING })) };
  };
  return withEarlierOverall(views, (buildIds) => Promise.all(buildIds.map(readEarlier)));
}

function createStoredViews(connection: Connection): BuildViews {
  const flagNames = connection.prepare(FLAG_NAMES);
  const summary = selectRecord<BuildSummary>(connection, 'SELECT record FROM build_summaries WHERE build_id = ?');
  const details = selectRecord<ResultDetails>(connection, 'SELECT record FROM build_details WHERE build_id = ?');
  const ofPull = selectRecords<BuildSummary>(connection, OF_PULL);
  return {
    ...createBuildTrends(connection),
    ...createReads<BuildSummary>(connection, {
      record: 's.record',
      summaries: 'CROSS JOIN build_summaries s ON s.build_id = b.id',
    }),
    ofPullRequest: (query) => ofPull({ ...query }),
    summary,
    async find(buildId): Promise<BuildView | undefined> {
      const found = await summary(buildId);
      const more = await details(buildId);
      if (found?.result === undefined || more === undefined) return found && { ...found, result: undefined };
      const { patch: _, ...result } = found.result;
      return { ...found, result: { ...result, ...more } };
    },
    flag: selectRecord<FlagResult>(connection, 'SELECT record FROM flag_results WHERE build_id = ? AND name = ?'),
    flags: createFlagPages(connection),
    flagNames: async (buildId, limit) =>
      connection.read(() => flagNames.all(buildId, limit).map(({ name }) => String(name))),
    fileKinds: selectRecords<FileKind>(connection, FILE_KINDS),
  };
}

function createFlagPages(connection: Connection): BuildViews['flags'] {
  const page = (order: string) =>
    selectRecords<FlagResult>(
      connection,
      `SELECT record FROM flag_results WHERE build_id = :buildId ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    );
  const inOrder = page('position');
  const failingFirst = page('passes, position');
  const count = connection.prepare('SELECT count(*) AS total FROM flag_results WHERE build_id = ?');
  return async ({ failingFirst: isFailingFirst, ...query }) => {
    const total = connection.read(() => Number(count.get(query.buildId)?.total));
    return { total, flags: await (isFailingFirst ? failingFirst : inOrder)(query) };
  };
}
