import type { BuildSummary } from '../../core/builds/build-summary.ts';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { queryScope } from '../build-index.ts';
import { type BuildTrends, MEASURED, type PullHead } from '../build-trends.ts';
import { estimateBytes } from '../estimate-bytes.ts';
import { newestOfPulls, type PullBuild } from '../newest-pulls.ts';
import { listSpans } from '../trend-spans.ts';
import { ofBothSides, TRUSTED, UNVERIFIED } from './build-queries.ts';
import type { Connection } from './connection.ts';
import { readRecords, selectRecord, selectRecords } from './records.ts';

/** The newest build of each span that has a percentage: nearly always the first that the index gives. */
const NEWEST = `
  FROM json_each(:spans) CROSS JOIN builds b ON b.id = (
    SELECT id FROM builds
    WHERE repo_id = json_each.value ->> 'repoId' AND scope = json_each.value ->> 'scope' AND closed = 1
      AND created_at >= json_each.value ->> 'from' AND created_at < json_each.value ->> 'to'
      AND (SELECT (record ->> '$.result.totals.relevantLines') + (record ->> '$.result.totals.branches') > 0
          OR (record ->> '$.imported.shown') IS NOT NULL
        FROM build_summaries WHERE build_id = builds.id)
    ORDER BY created_at DESC, sequence DESC LIMIT 1)`;
const POINTS = `
  SELECT json_each.value ->> 'series' AS series, json_extract(s.record, '$.id', '$.commit', '$.createdAt',
    '$.result.totals', '$.result.baseTotals', '$.result.verdict.state', '$.result.verdict.rule',
    '$.result.verdict.informational', '$.noKind', '$.result.overall', '$.imported') AS record
  ${NEWEST} CROSS JOIN build_summaries s ON s.build_id = b.id WHERE json_each.value ->> 'flag' IS NULL`;
const FLAG_POINTS = `
  SELECT json_each.value ->> 'series' AS series, json_extract(json_set(s.record, '$.flag', json(f.record)), '$.id',
    '$.commit', '$.createdAt', '$.flag.totals', '$.flag.baseTotals', '$.flag.verdict.state', '$.flag.verdict.rule',
    '$.flag.verdict.informational', '$.flag.kind', '$.noOverall', '$.imported') AS record
  ${NEWEST} CROSS JOIN flag_results f ON f.build_id = b.id AND f.name = json_each.value ->> 'flag'
  CROSS JOIN build_summaries s ON s.build_id = b.id`;

const NEXT_SCOPE = `
  SELECT min(scope) AS scope FROM builds WHERE repo_id = ? AND closed = 1 AND scope > ? AND scope < ?`;
/** Only columns of the index, in its order. */
const TAGS = `
  SELECT scope, max(sequence) AS last FROM builds
  WHERE repo_id = ? AND closed = 1 AND scope > 'tag:' AND scope < 'tag;' GROUP BY scope`;
const OF_PULL = `
  SELECT s.record FROM builds b CROSS JOIN build_summaries s ON s.build_id = b.id
  WHERE b.repo_id IN (SELECT value FROM json_each(:repoIds)) AND b.pull_request = :pullRequest
    AND b.unverified IS :side
  ORDER BY b.id DESC LIMIT :limit`;
const OF_COMMIT = `
  SELECT s.record FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
    CROSS JOIN build_summaries s ON s.build_id = c.build_id
  WHERE c.repo_id IN (SELECT value FROM json_each(:repoIds)) AND c.commit_sha >= :commit AND c.commit_sha < :beyond
    AND b.unverified IS :side
  GROUP BY c.build_id ORDER BY c.build_id DESC LIMIT :limit`;

const ACTIVITY = `
  SELECT value AS id, (SELECT count(*) FROM builds WHERE repo_id = value) AS builds, (
    SELECT s.record ->> 'lastJobAt' FROM builds b CROSS JOIN build_summaries s ON s.build_id = b.id
    WHERE b.repo_id = value ORDER BY b.sequence DESC LIMIT 1) AS at
  FROM json_each(?)`;

const NEWEST_PULLS = `
  SELECT id, repo_id AS repoId, sequence, pull_request AS pullRequest, created_at AS createdAt FROM builds
  WHERE repo_id = ? AND unverified IS ? AND pull_request IS NOT NULL ORDER BY sequence DESC LIMIT ?`;

const OF_PULLS = `
  SELECT s.record FROM builds b CROSS JOIN build_summaries s ON s.build_id = b.id
  WHERE b.repo_id = :repoId AND b.pull_request IS NOT NULL AND b.sequence >= coalesce((
    SELECT sequence FROM builds WHERE repo_id = :repoId ORDER BY sequence DESC LIMIT 1 OFFSET :among - 1
  ), ${Number.MIN_SAFE_INTEGER})
  ORDER BY b.sequence DESC`;

// The length of a blob is known without reading it.
const SIZES = `
  SELECT ifnull((SELECT length(report) FROM build_reports WHERE build_id = b.id), 0) + ifnull((
    SELECT sum(length(report)) FROM job_reports
    WHERE job_id IN (SELECT id FROM jobs WHERE build_id = b.id LIMIT ${MEASURED.jobs})), 0) AS size
  FROM builds b WHERE b.repo_id = ? ORDER BY b.sequence DESC LIMIT ${MEASURED.builds}`;
const TEXTS = 'SELECT count(*) AS count FROM sources WHERE repo_id = ?';
const TEXT_SIZES = `
  SELECT length(bytes) AS size FROM sources WHERE repo_id = ? ORDER BY digest LIMIT ${MEASURED.texts}`;
const EXCLUDED = `
  SELECT s.record FROM builds b CROSS JOIN build_summaries s ON s.build_id = b.id
  WHERE b.excluded_at IS NOT NULL ORDER BY b.excluded_at DESC, b.id DESC LIMIT ?`;

/** What the newest builds and texts of a repo take, in bytes, for all of them. */
function prepareMeasure({ prepare }: Connection): (repoId: number, builds: number) => number | undefined {
  const [sizes, texts, textSizes] = [prepare(SIZES), prepare(TEXTS), prepare(TEXT_SIZES)];
  const sizesOf = (statement: typeof sizes, repoId: number) => statement.all(repoId).map(({ size }) => Number(size));
  return (repoId, builds) =>
    estimateBytes(
      { sizes: sizesOf(sizes, repoId), count: builds },
      { sizes: sizesOf(textSizes, repoId), count: Number(texts.get(repoId)?.count) },
    );
}

/** Each name is a step in the index: how many builds it has costs nothing. */
function prepareBranches({ prepare, read }: Connection): BuildTrends['branches'] {
  const nextScope = prepare(NEXT_SCOPE);
  const start = queryScope({ branch: '' }) as string;
  const end = start.replace(/:$/, ';');
  return async (repoId, limit) => {
    const found: string[] = [];
    for (let scope = start; found.length < limit; ) {
      const next = read(() => nextScope.get(repoId, scope, end)?.scope);
      if (typeof next !== 'string') break;
      scope = next;
      found.push(scope.slice(start.length));
    }
    return found;
  };
}

/** Binds the queries of trends and of the search. */
export function createBuildTrends(connection: Connection): BuildTrends {
  const { prepare, read } = connection;
  const points = prepare(POINTS);
  const flagPoints = prepare(FLAG_POINTS);
  const activity = prepare(ACTIVITY);
  const measure = prepareMeasure(connection);
  const ofPull = selectRecords<BuildSummary>(connection, OF_PULL);
  const ofCommit = selectRecords<BuildSummary>(connection, OF_COMMIT);
  const newestPulls = prepare(NEWEST_PULLS);
  const summaryOf = selectRecord<BuildSummary>(connection, 'SELECT record FROM build_summaries WHERE build_id = ?');
  const ofPulls = selectRecords<BuildSummary>(connection, OF_PULLS);
  const ofIds = async (ids: readonly number[]): Promise<readonly BuildSummary[]> =>
    (await Promise.all(ids.map((id) => summaryOf(id)))).filter((build) => build !== undefined);
  const tags = prepare(TAGS);
  return {
    async trends(query) {
      const spans = JSON.stringify(listSpans(query));
      const rows = read(() => [...points.all({ spans }), ...flagPoints.all({ spans })]);
      const found = readRecords<Extract>(rows).map((record, index) => [Number(rows[index]?.series), toPoint(record)]);
      const bySeries = Map.groupBy(found as [number, TrendPoint | undefined][], ([series]) => series);
      return query.series.map((_, index) => (bySeries.get(index) ?? []).flatMap(([, point]) => point ?? []));
    },
    branches: prepareBranches(connection),
    async tags(repoId, limit) {
      const newest = read(() => tags.all(repoId)).sort((a, b) => Number(b.last) - Number(a.last));
      return newest.slice(0, limit).map(({ scope }) => String(scope).slice('tag:'.length));
    },
    async activity(repoIds) {
      const rows = read(() => activity.all(JSON.stringify(repoIds)));
      return rows.map(({ id, builds, at }) => {
        const storedBytes = read(() => measure(Number(id), Number(builds)));
        const lastUploadAt = at === null ? undefined : Number(at);
        return { repoId: Number(id), builds: Number(builds), lastUploadAt, storedBytes };
      });
    },
    excludedBases: selectRecords<BuildSummary>(connection, EXCLUDED),
    async search({ repoIds, by, limit }) {
      const which = { repoIds: JSON.stringify(repoIds), limit };
      const found = await ofBothSides((side) =>
        'pullRequest' in by
          ? ofPull({ ...which, pullRequest: by.pullRequest, side })
          : ofCommit({ ...which, commit: by.commit, beyond: `${by.commit}g`, side }),
      );
      return found.toSorted((a, b) => b.id - a.id);
    },
    async newestPulls({ repoIds, each, limit }) {
      const newestOf = (id: number) =>
        [TRUSTED, UNVERIFIED].flatMap((side) => newestPulls.all(id, side, each) as unknown as PullBuild[]);
      return ofIds(
        newestOfPulls(
          read(() => repoIds.flatMap(newestOf)),
          limit,
        ),
      );
    },
    pullHeads: async (repoId, among) => (await ofPulls({ repoId, among })).map(toPullHead),
    ofIds,
  };
}

function toPullHead({ id, pullRequest, landed, trust, target, commit, createdAt, facts }: BuildSummary): PullHead {
  const state = facts?.pull?.state;
  return { id, pullRequest, landed, trust, target, commit, createdAt, ...(state && { facts: { pull: { state } } }) };
}

type Extract = readonly [
  buildId: number,
  commit: string | null,
  at: number,
  totals: TrendPoint['totals'] | null,
  baseTotals: TrendPoint['totals'] | null,
  state: TrendPoint['verdict']['state'],
  rule: TrendPoint['verdict']['rule'],
  informational: true | null,
  kind: TrendPoint['kind'] | null,
  overall: TrendPoint['overall'] | null,
  imported: TrendPoint['imported'] | null,
];

function toPoint(extract: Extract): TrendPoint | undefined {
  const [buildId, commit, at, totals, baseTotals, state, rule, informational, kind, overall, imported] = extract;
  if (totals === null) return undefined;
  return {
    buildId,
    commit: commit ?? undefined,
    at,
    totals,
    baseTotals: baseTotals ?? undefined,
    verdict: { state, rule, ...(informational && { informational }) },
    ...(overall && { overall }),
    ...(kind && { kind }),
    ...(imported && { imported }),
  };
}
