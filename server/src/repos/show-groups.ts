import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { readFlagReports } from '../builds/browse-files.ts';
import { readBuildRules } from '../builds/read-build-rules.ts';
import { type CountedGroup, findCountedGroup } from '../builds/read-group-files.ts';
import { findPeriod, type TrendPeriod } from '../builds/trend.ts';
import { groupAsked } from '../closing/gather-rules.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import type { ComposedOwner, GroupAsked } from '../core/builds/compose-groups.ts';
import type { GroupResult } from '../core/builds/group-result.ts';
import type { RuleValue } from '../core/builds/judged-rules.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { TreeSort } from '../core/coverage/file-tree.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { GroupRule } from '../core/repo/repo-rules.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { TreePage } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import { TREND_SPANS } from './show-repo.ts';

/** Builds that a group's page goes back to. */
export const GROUP_BUILDS = 20;
/** After this many in a row without a file of a group, the page of groups says so. */
const EMPTY_BUILDS = 5;

/** A build with what it says of one group. */
export interface GroupOfBuild {
  readonly build: BuildSummary;
  readonly group: GroupResult;
}

interface OfNewest {
  readonly repo: Repo;
  readonly maintains: boolean;
  readonly branch: string | undefined;
  /** The build whose groups and owners these are. */
  readonly newest: BuildView | undefined;
}

export interface ShownGroups extends OfNewest {
  readonly groups: readonly ListedGroup[];
  readonly owners: readonly ListedOwner[];
}

/** How it went in the last builds, oldest first, and what the file says of it; undefined: it is not kept. */
interface Listed {
  readonly points: readonly TrendPoint[];
  readonly rule: GroupRule | undefined;
}

/** `emptySince`: the build from which on it has no file, where that lasts; else undefined. */
export type ListedGroup = GroupResult & Listed & { readonly emptySince: BuildSummary | undefined };
/** `group`: the one that the file makes of the owner's files. */
export type ListedOwner = ComposedOwner & Listed & { readonly group: GroupResult | undefined };

export interface ShownGroup extends OfNewest {
  readonly group: GroupResult;
  readonly asked: AskedOfGroup;
  readonly period: TrendPeriod;
  /** In the period, oldest first. */
  readonly points: readonly TrendPoint[];
  /** Those that fit, in the order that was asked for; undefined: what the group was counted by is not kept. */
  readonly files: (Paged & Pick<TreePage, 'rows' | 'files'>) | undefined;
  /** What is said of it, by keys within it, as `total.drop`; of a group of `each` what is said of all of them. */
  readonly rules: readonly RuleValue[];
  /** Newest first. */
  readonly builds: readonly GroupOfBuild[];
}

/** Which files of a group are listed, and how far back its trend goes. */
export interface AskedOfGroup {
  readonly days: number;
  readonly query: string;
  readonly sort: Exclude<TreeSort, 'path'>;
}

type GroupServices = Pick<Services, 'resolveAccess' | 'repos' | 'views'>;

/** The groups and owners of the default branch's newest build. A Failure `not-found` as for the repo. */
export async function listGroups(
  services: GroupServices & Pick<Services, 'facts'>,
  request: RepoRequest,
): Promise<ShownGroups> {
  const { recent, ...shown } = await readRecent(services, request);
  const { groups = [], owners = [] } = shown.newest?.result ?? {};
  const rules = (await readBuildRules(services, { build: shown.newest, repo: shown.repo }))?.rules.groups ?? [];
  const newestFirst = recent.map(indexParts);
  const oldestFirst = newestFirst.toReversed();
  const ruleOf = findRules(rules);
  return {
    ...shown,
    groups: groups.map((group) => ({
      ...group,
      points: pointsOfGroup(group.id, oldestFirst),
      rule: ruleOf(group),
      emptySince: emptySince(ofGroup(group.id, newestFirst)),
    })),
    owners: owners.map((one) => {
      const rule = rules.find(({ files }) => files.kind === 'owner' && files.owner === one.owner);
      return {
        ...one,
        points: oldestFirst.flatMap(({ build, owners: known }) => pointOf(build, known.get(one.owner)) ?? []),
        rule,
        group: rule && groups.find(({ id }) => id === rule.id),
      };
    }),
  };
}

/** A build with its groups and owners, thousands of which may be looked for, by their names. */
interface IndexedParts {
  readonly build: BuildView;
  readonly groups: ReadonlyMap<string, GroupResult>;
  readonly owners: ReadonlyMap<string | undefined, ComposedOwner>;
}

function indexParts(build: BuildView): IndexedParts {
  const { groups = [], owners = [] } = build.result ?? {};
  return {
    build,
    groups: new Map(groups.map((group) => [group.id, group])),
    owners: new Map(owners.map((one) => [one.owner, one])),
  };
}

/** The entry of the file that makes a group: its own, or the first `each` that it is one of. */
function findRules(rules: readonly GroupRule[]): (group: GroupResult) => GroupRule | undefined {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const ofEach = rules.filter(({ files }) => files.kind === 'each').toReversed();
  const byDigest = new Map(ofEach.map((rule) => [groupAsked(rule).digest, rule]));
  return ({ id, digest }) => byId.get(id) ?? byDigest.get(digest ?? '');
}

/** One of them. A Failure `not-found` also if the newest build has none of this id. */
export async function showGroup(
  services: GroupServices & Pick<Services, 'builds' | 'clock' | 'facts' | 'jobs' | 'reader'>,
  { id, asked, paging, ...request }: RepoRequest & { id: string; asked: AskedOfGroup; paging: Paging },
): Promise<ShownGroup> {
  const { recent, ...shown } = await readRecent(services, request);
  const { repo, newest } = shown;
  const group = newest?.result?.groups?.find((one) => one.id === id);
  if (newest === undefined || group === undefined) {
    const { service, name } = repo;
    const message = `The newest build of ${name} has no group ${quoteValue(id, 70)}. Its coverage.yml names them.`;
    throw new Failure('not-found', message, { repo: { service, name } });
  }
  const counted = await findCountedGroup(services, { repo, build: newest, id });
  const files = counted && (await listFiles(services, { build: newest, counted, asked, paging }));
  const trend = await readTrend(services, { ...shown, id, days: asked.days, recent });
  const rules = rulesOf(newest, id, counted?.asked[0]);
  return { ...shown, group, asked, files, rules, builds: ofGroup(id, recent.map(indexParts)), ...trend };
}

async function readTrend(
  services: Pick<Services, 'clock' | 'views'>,
  asked: Pick<OfNewest, 'repo' | 'branch'> & { id: string; days: number; recent: readonly BuildView[] },
): Promise<Pick<ShownGroup, 'period' | 'points'>> {
  const { repo, branch, id, days, recent } = asked;
  const series = branch === undefined ? [] : [{ repoId: repo.id, branch, flag: undefined }];
  const period = await findPeriod(services, { series, days, spans: TREND_SPANS });
  const [points = []] = await services.views.trends({ series, bounds: period.bounds });
  return { period, points: (await readGroupPoints(services, { points, ids: [id], read: recent })).get(id) ?? [] };
}

/** What the builds of a trend say of groups, by their ids. `read`: builds that need not be read again. */
export async function readGroupPoints(
  { views }: Pick<Services, 'views'>,
  asked: { points: readonly TrendPoint[]; ids: readonly string[]; read?: readonly BuildView[] },
): Promise<ReadonlyMap<string, readonly TrendPoint[]>> {
  const { points, ids, read = [] } = asked;
  if (ids.length === 0) return new Map();
  const known = new Map(read.map((build) => [build.id, build]));
  const builds = await Promise.all(points.map(async ({ buildId }) => known.get(buildId) ?? views.find(buildId)));
  const parts = builds.filter((build) => build !== undefined).map(indexParts);
  return new Map(ids.map((id) => [id, pointsOfGroup(id, parts)]));
}

function rulesOf({ result }: BuildView, id: string, counted: GroupAsked | undefined): readonly RuleValue[] {
  const files = counted?.files;
  const prefix = `groups.${files?.kind === 'each' ? `each:${files.pattern}` : id}.`;
  const own = (result?.rules?.values ?? []).filter(({ key }) => key.startsWith(prefix));
  return own.map((rule) => ({ ...rule, key: rule.key.slice(prefix.length) }));
}

async function listFiles(
  services: Pick<Services, 'builds' | 'jobs' | 'reader' | 'views'>,
  of: { build: BuildView; counted: CountedGroup; asked: AskedOfGroup; paging: Paging },
): Promise<ShownGroup['files']> {
  const { builds, reader } = services;
  const { build, counted, asked, paging } = of;
  const { base } = build.result ?? {};
  const [report, baseReport] = await Promise.all([builds.report(build.id), base && builds.report(base.buildId)]);
  if (report === undefined) return undefined;
  const flags = counted.asked[0]?.flags ?? [];
  const ofFlags = await Promise.all(flags.map((flag) => readFlagReports(services, build.id, flag)));
  const group = { name: counted.group.name, asked: counted.asked, owners: counted.owners };
  const choice = { ...asked, folder: '', fuzzy: true, show: 'all', among: undefined, group } as const;
  const page = await reader.browse({
    ...{ report, base: baseReport, choice, ...toRange(paging) },
    within: flags.length === 0 ? undefined : ofFlags.flatMap(({ reports }) => reports),
  });
  return { rows: page.rows, files: page.files, ...toPaged(paging, page.total) };
}

async function readRecent(services: GroupServices, request: RepoRequest) {
  const { views } = services;
  const { repo, caller } = await findReadableRepo(services, request);
  const { branch } = await findBranchHead(views, { repo, branch: undefined });
  const query = { repoId: repo.id, scope: { branch: branch ?? '' }, before: undefined, limit: GROUP_BUILDS };
  const closed = branch === undefined ? [] : await views.closed(query);
  const found = await Promise.all(closed.map(({ id }) => views.find(id)));
  const recent = found.filter((one) => one !== undefined);
  return { repo, maintains: mayAdminister(caller, repo), branch, newest: recent[0], recent };
}

function pointsOfGroup(id: string, builds: readonly IndexedParts[]): readonly TrendPoint[] {
  return builds.flatMap(({ build, groups }) => pointOf(build, groups.get(id)) ?? []);
}

function ofGroup(id: string, builds: readonly IndexedParts[]): readonly GroupOfBuild[] {
  return builds.flatMap(({ build, groups }) => {
    const group = groups.get(id);
    return group === undefined ? [] : [{ build: build as BuildSummary, group }];
  });
}

/** A pattern that lost its files is no news after one build: a flag may be late. */
function emptySince(newestFirst: readonly GroupOfBuild[]): BuildSummary | undefined {
  const filled = newestFirst.findIndex(({ group }) => group.files > 0);
  const empty = filled < 0 ? newestFirst : newestFirst.slice(0, filled);
  return empty.length < EMPTY_BUILDS ? undefined : empty.at(-1)?.build;
}

/** What is counted for a group or an owner. */
type Counted = Pick<GroupResult, 'totals' | 'baseTotals' | 'verdict'>;

/** Undefined: the build has no such group or owner. */
function pointOf(build: BuildView, counted: Counted | undefined): TrendPoint | undefined {
  if (counted === undefined) return undefined;
  const { totals, baseTotals, verdict = { state: 'success', rule: 'first-build' } } = counted;
  const { id: buildId, commit, createdAt: at } = build;
  return { buildId, commit, at, totals, baseTotals, kind: 'uploaded', verdict };
}
