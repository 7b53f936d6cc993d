import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { readFlagReports } from '../builds/browse-files.ts';
import { type CountedGroup, findCountedGroup } from '../builds/read-group-files.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import type { GroupAsked } from '../core/builds/compose-groups.ts';
import type { GroupResult } from '../core/builds/group-result.ts';
import type { RuleValue } from '../core/builds/judged-rules.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { TreeSort } from '../core/coverage/file-tree.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { TreePage } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';

/** Builds that a group's page goes back to. */
export const GROUP_BUILDS = 20;

/** A build with what it says of one group. */
export interface GroupOfBuild {
  readonly build: BuildSummary;
  readonly group: GroupResult;
}

export interface ShownGroups {
  readonly repo: Repo;
  readonly maintains: boolean;
  readonly branch: string | undefined;
  /** The build whose groups and owners these are. */
  readonly newest: BuildView | undefined;
  /** By group: how it went in the last builds, oldest first. */
  readonly points: ReadonlyMap<string, readonly TrendPoint[]>;
}

export interface ShownGroup extends ShownGroups {
  readonly group: GroupResult;
  readonly asked: AskedOfGroup;
  /** Those that fit, in the order that was asked for; undefined: what the group was counted by is not kept. */
  readonly files: (Paged & Pick<TreePage, 'rows' | 'files'>) | undefined;
  /** What is said of it, by keys within it, as `total.drop`; of a group of `each` what is said of all of them. */
  readonly rules: readonly RuleValue[];
  /** Newest first. */
  readonly builds: readonly GroupOfBuild[];
}

/** Which files of a group are listed. */
export interface AskedOfGroup {
  readonly query: string;
  readonly sort: Exclude<TreeSort, 'path'>;
}

type GroupServices = Pick<Services, 'resolveAccess' | 'repos' | 'views'>;

/** The groups and owners of the default branch's newest build. A Failure `not-found` as for the repo. */
export async function listGroups(services: GroupServices, request: RepoRequest): Promise<ShownGroups> {
  const { recent, ...shown } = await readRecent(services, request);
  const ids = (shown.newest?.result?.groups ?? []).map(({ id }) => id);
  return { ...shown, points: new Map(ids.map((id) => [id, pointsOf(id, recent)])) };
}

/** One of them. A Failure `not-found` also if the newest build has none of this id. */
export async function showGroup(
  services: GroupServices & Pick<Services, 'builds' | 'facts' | 'jobs' | 'reader'>,
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
  const [points, builds] = [new Map([[id, pointsOf(id, recent)]]), ofGroup(id, recent)];
  return { ...shown, group, asked, files, rules: rulesOf(newest, id, counted?.asked[0]), builds, points };
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

function ofGroup(id: string, builds: readonly BuildView[]): readonly GroupOfBuild[] {
  return builds.flatMap((build) => {
    const group = build.result?.groups?.find((one) => one.id === id);
    return group === undefined ? [] : [{ build: build as BuildSummary, group }];
  });
}

function pointsOf(id: string, builds: readonly BuildView[]): readonly TrendPoint[] {
  return builds.toReversed().flatMap((build) => pointOfGroup(id, build) ?? []);
}

/** What a build says of a group; undefined: it has none of this id. */
export function pointOfGroup(id: string, build: BuildView): TrendPoint | undefined {
  const group = build.result?.groups?.find((one) => one.id === id);
  if (group === undefined) return undefined;
  const { totals, baseTotals, verdict = { state: 'success', rule: 'first-build' } } = group;
  const { id: buildId, commit, createdAt: at } = build;
  return { buildId, commit, at, totals, baseTotals, kind: 'uploaded', verdict };
}
