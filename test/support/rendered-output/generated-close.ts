import type { CoverageFile, FileGroup } from '@coverage/shared/coverage-file/declared';
import { groupId, groupName } from '@coverage/shared/coverage-file/declared';
import fc from 'fast-check';
import { presentBuild } from '../../../server/src/builds/http/build-json.ts';
import { renderBuildPage } from '../../../server/src/builds/pages/build-page.tsx';
import { buildTable } from '../../../server/src/builds/pages/repo-lists.tsx';
import { partsOf } from '../../../server/src/closing/gather-rules.ts';
import { acceptFailures, markAccepted } from '../../../server/src/core/builds/acceptance.ts';
import { SAME_TEXT } from '../../../server/src/core/builds/annotations.ts';
import { toBasePick } from '../../../server/src/core/builds/base-build.ts';
import type { BaseRule, Build } from '../../../server/src/core/builds/build.ts';
import { withOverall } from '../../../server/src/core/builds/build-checks.ts';
import { composeReport } from '../../../server/src/core/builds/build-report.ts';
import { summarizeBuild } from '../../../server/src/core/builds/build-summary.ts';
import { toCarriedPick } from '../../../server/src/core/builds/carryforward.ts';
import type { CloseRules } from '../../../server/src/core/builds/compose-verdict.ts';
import { concludeBuild, type Findings } from '../../../server/src/core/builds/conclude-build.ts';
import { flagsToSplit } from '../../../server/src/core/builds/flag-results.ts';
import { listRules } from '../../../server/src/core/builds/list-rules.ts';
import type { Report } from '../../../server/src/core/coverage/file-coverage.ts';
import { mergeReports } from '../../../server/src/core/coverage/merge.ts';
import { diffBetween } from '../../../server/src/core/diff/diff-between.ts';
import type { Diff } from '../../../server/src/core/diff/file-diff.ts';
import { effectiveRules, NO_FLOORS } from '../../../server/src/core/repo/repo-rules.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../../../server/src/core/repo/settings.ts';
import { type ChangeDiffs, type ChangeSums, sumOwnChange } from '../../../server/src/core/verdict/split-change.ts';
import { createAddresses } from '../../../server/src/platform/web/addresses.ts';
import { renderParts } from '../../../server/src/platform/web/render-parts.tsx';
import { planClose } from '../../../server/src/wording/plan.ts';
import { aPageContext } from '../page-context.ts';
import { announcing, TARGET } from '../plan-scene.ts';
import { aBuild, aClosedBuild, aJob, sha } from '../records.ts';
import { A_REPO, aShownBuild } from '../shown-build.ts';
import {
  createLineIds,
  type Digests,
  diffTrees,
  FILES,
  firstLengths,
  firstTree,
  follow,
  hitNumbers,
  reportOf,
  steps,
} from './generated-texts.ts';
import type { Told } from './told.ts';

/** What becomes of one flag of the base. */
type Fate = 'uploaded' | 'carried' | 'carried blindly' | 'missing';

/** Which files the tests of a flag run. */
const RUNS: Readonly<Record<string, readonly string[]>> = { unit: ['a.ts', 'b.ts'], api: ['b.ts', 'c.ts'], '': FILES };

const limit = fc.option(fc.constantFrom(0, 1, 33.33, 50, 66.67, 90, 100), { nil: null });
const fate = fc.constantFrom<Fate>('uploaded', 'uploaded', 'carried', 'carried blindly', 'missing');

/** A base build, what others and a pull request did since, and what ran. */
export const anyHistory = fc.record({
  lengths: firstLengths,
  others: steps,
  own: steps,
  hasBase: fc.constantFrom(true, true, true, false),
  /** How the base was found: this many commits before the merge base, at it, or by its branch. */
  away: fc.constantFrom<number | 'branch'>(0, 1, 3, 'branch'),
  diffs: fc.constantFrom<'all' | 'none' | 'own' | 'cut' | 'derived'>('all', 'all', 'derived', 'none', 'own', 'cut'),
  digests: fc.constantFrom<Digests>('of texts', 'of texts', 'none', 'of names'),
  unflagged: fc.boolean(),
  fates: fc.tuple(fate, fate),
  before: fc.tuple(hitNumbers, hitNumbers),
  after: fc.tuple(hitNumbers, hitNumbers),
  closedBy: fc.constantFrom<'webhook' | 'deadline'>('webhook', 'webhook', 'deadline'),
  settings: fc.record({
    minimum: limit,
    allowedDrop: limit,
    patchStatus: fc.boolean(),
    patchMinimum: fc.oneof(limit, fc.constant('base' as const)),
    informational: fc.constantFrom(false, false, false, true),
    ignoreRemovedCode: fc.boolean(),
    ignoreUntouchedFiles: fc.boolean(),
    ignoreUnstableLines: fc.boolean(),
  }),
});

export type History = typeof anyHistory extends fc.Arbitrary<infer T> ? T : never;

interface Leg {
  readonly flag: string | undefined;
  readonly report: Report;
}

/** When the pull request's build is closed: half an hour after the first day of `until` began. */
const CLOSED_AT = 1_900_000;

const untilEarlierOrLater = fc.constantFrom('1970-01-01', '1970-01-02');
const rule = {
  minimum: fc.constantFrom(0, 50, 90, 100),
  drop: fc.constantFrom(0, 5, 50),
  informational: fc.boolean(),
  until: untilEarlierOrLater,
};
const totalRule = fc.oneof(fc.record(rule, { requiredKeys: [] }), fc.constant({ off: true }));
const { drop: _, ...linesRule } = rule;
const changesRule = fc.record(
  { ...linesRule, minimum: fc.constantFrom<number | 'base'>(0, 50, 100, 'base') },
  { requiredKeys: ['minimum'] },
);
const groupRules = { total: totalRule, changes: changesRule, informational: fc.boolean(), until: untilEarlierOrLater };
const groupOf = (files: object) =>
  fc.record(groupRules, { requiredKeys: [] }).map((rules) => ({ ...files, ...rules }) as FileGroup);

const anyFile = fc.record(
  {
    total: fc.oneof(
      totalRule,
      fc.record({ ...rule, ratchet: fc.constant({ tolerance: 1 }) }, { requiredKeys: ['ratchet'] }),
    ),
    changes: changesRule,
    elsewhere: fc.constantFrom('show' as const, 'fail' as const),
    untouched: fc.constantFrom('pass' as const, 'judge' as const),
    informational: fc.constantFrom(false, false, true),
    flags: fc.record({ unit: fc.record({ ...rule, changes: changesRule }, { requiredKeys: [] }) }),
    owners: fc.boolean(),
    groups: fc.tuple(
      groupOf({ name: 'First', paths: ['a.ts'] }),
      groupOf({ name: 'unit', paths: ['*.ts', '!a.ts'], status: true }),
      groupOf({ name: 'Of api', flags: ['api'] }),
      groupOf({ owner: '@acme/c', status: true }),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<CoverageFile>;

const OWNERS = '/c.ts @acme/c\n';

/** What decides which checks are required, and pass. */
export const anyRules = fc.record({
  settings: fc.record({
    flagSettings: fc.constantFrom<RepoSettings['flagSettings']>(
      [],
      [{ flag: 'unit', minimum: 60, allowedDrop: null, informational: false }],
      [{ flag: 'api', minimum: null, allowedDrop: null, informational: true }],
    ),
    coverageStatus: fc.constantFrom<RepoSettings['coverageStatus']>('total', 'overall'),
  }),
  /** Whether a maintainer accepted what failed at first. */
  accepted: fc.constantFrom(false, false, true),
  /** What the repo's own file says; undefined: there is none. */
  file: fc.option(anyFile, { nil: undefined }),
  /** Covered lines of 100 of the best total that stood; undefined: none stood long enough. */
  best: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
});

export type Rules = typeof anyRules extends fc.Arbitrary<infer T> ? T : never;

/** Closes the base build and the pull request's, and tells of the latter. */
export function tell(history: History, rules?: Rules): Told {
  const { build, base, settings } = closePull(history, rules);
  return { ...present(build, base, settings), groupContexts: groupContexts(rules?.file) };
}

/** By rule 22: of groups with a status of their own. Here one is called as a flag. */
function groupContexts(file: CoverageFile | undefined): Readonly<Record<string, readonly string[]>> {
  const named = (file?.groups ?? []).filter(({ status }) => status === true);
  return Object.fromEntries(
    named.map((group) => {
      const name = groupName(group);
      return [`group:${groupId(group)}`, [`coverage (${name})`, `coverage (${name}, group)`]];
    }),
  );
}

/** The rules of a close, as they are gathered for one. */
export function drawnRules(history: History, rules: Rules | undefined): CloseRules {
  const settings: RepoSettings = { ...DEFAULT_REPO_SETTINGS, ...history.settings, ...rules?.settings };
  const sources = { settings, file: rules?.file, floors: NO_FLOORS, at: CLOSED_AT, branch: 'main' };
  const effective = effectiveRules(sources);
  const best = rules?.best === undefined ? undefined : { ...aFlagBase, totals: lines(rules.best, 100) };
  const { ratchet: tolerance } = effective;
  return {
    rules: effective,
    judged: { values: listRules(sources) },
    ...(best && tolerance !== undefined && { ratchet: { best, tolerance } }),
  };
}

const aFlagBase = { number: '60', commit: undefined };
const lines = (coveredLines: number, relevantLines: number) => ({
  ...{ coveredLines, relevantLines, coveredBranches: 0, branches: 0 },
});

/** Both builds, closed. */
export function closePull(history: History, drawn?: Rules) {
  const closing = drawnRules(history, drawn);
  const { settings } = closing.rules;
  const parts = partsOf(closing.rules, OWNERS);
  const newLine = createLineIds();
  const atBase = firstTree(history.lengths, newLine);
  const isApart = typeof history.away === 'string' || history.away > 0;
  const atFork = isApart ? follow(atBase, history.others, newLine) : atBase;
  const atHead = follow(atFork, history.own, newLine);
  const flags = history.unflagged ? [undefined] : ['unit', 'api'];
  const run = (tree: typeof atBase, drawn: readonly (readonly number[])[]) =>
    flags.map((flag, index): Leg => {
      const ran = { files: RUNS[flag ?? ''] ?? [], hits: drawn[index] ?? [], digests: history.digests };
      return { flag, report: reportOf(tree, ran) };
    });
  const base = history.hasBase ? closeBase(run(atBase, history.before), settings) : undefined;
  const whole = diffTrees(atBase, atHead);
  const ran = run(atHead, history.after);
  const fateOf = (flag: string | undefined): Fate =>
    flag === undefined || base === undefined ? 'uploaded' : (history.fates[flag === 'unit' ? 0 : 1] as Fate);
  const jobs = ran.filter(({ flag }) => fateOf(flag) === 'uploaded');
  const carried = (base?.legs ?? []).filter(({ flag }) => fateOf(flag).startsWith('carried'));
  const diffs = knownDiffs(history, { whole, own: diffTrees(atFork, atHead), between: diffTrees(atBase, atFork) });
  const composed = composeReport({
    jobs,
    carried: carried.map(({ flag, report }) => ({
      flag: flag ?? '',
      report,
      diff: fateOf(flag) === 'carried' ? whole : undefined,
    })),
    base: base?.report,
    diffs: { ...diffs, shown: SAME_TEXT },
    parts,
  });
  const found = base && { build: base.build, pick: pickOf(base.build, history.away) };
  const build = aBuild({
    commit: TARGET,
    target: TARGET,
    pullRequest: 7,
    branch: 'topic',
    facts: undefined,
    jobs: jobs.length,
  });
  const result = concludeBuild({
    build,
    settings,
    rules: closing,
    closedBy: history.closedBy,
    at: CLOSED_AT,
    jobs: jobs.map(({ flag }, index) => aJob({ number: index + 1, facts: { flag } })),
    composed,
    base: found,
    carried: carried.map(({ flag }) => toCarriedPick(flag ?? '', (base as ClosedBase).build)),
    notFound: [],
    recent: base === undefined ? [] : [base.build],
    flagSplits: splitFlags({ settings, flags: composed.flags, base: found }, { jobs, legs: base?.legs ?? [], diffs }),
  });
  const by = { by: 'mona', at: CLOSED_AT, reason: 'as agreed' };
  const acceptance = drawn?.accepted ? acceptFailures(result, by) : undefined;
  const marked = acceptance === undefined ? result : withOverall(markAccepted(result, acceptance));
  const closed: Build = { ...build, state: 'closed', due: [], result: marked, acceptance };
  return { build: closed, base: base?.build, settings };
}

interface ClosedBase {
  readonly build: Build;
  readonly report: Report;
  readonly legs: readonly Leg[];
}

function closeBase(legs: readonly Leg[], settings: RepoSettings): ClosedBase {
  const composed = composeReport({ jobs: legs, carried: [], base: undefined });
  const build = aClosedBuild({ sequence: 70, commit: sha('b'), branch: 'main' });
  const result = concludeBuild({
    build,
    settings,
    closedBy: 'webhook',
    at: 2_000,
    jobs: legs.map(({ flag }, index) => aJob({ number: index + 1, facts: { flag } })),
    composed,
    base: undefined,
    carried: [],
    notFound: [],
    recent: [],
    flagSplits: new Map(),
  });
  return { build: { ...build, result }, report: composed.report, legs };
}

function pickOf(base: Build, away: History['away']) {
  const rule: BaseRule = away === 'branch' ? 'base-branch' : away === 0 ? 'merge-base' : 'ancestor';
  return toBasePick(base, { rule, commitsAway: away === 'branch' ? undefined : away });
}

/** What a close could learn of the diffs (closing/find-diffs.ts). */
function knownDiffs(
  { diffs, away, hasBase }: History,
  all: { readonly whole: Diff; readonly own: Diff; readonly between: Diff },
): ChangeDiffs {
  if (diffs === 'none') return {};
  const own = diffs === 'cut' ? { files: all.own.files.slice(1), complete: false } : all.own;
  if (diffs === 'own' || away === 'branch' || !hasBase) return { patch: own };
  if (away === 0) return { base: own, patch: own };
  const between = diffs === 'all' ? all.between : diffBetween(all.whole, own);
  return { base: all.whole, patch: own, before: { diff: between, commits: away, branch: 'main' } };
}

function splitFlags(
  found: Pick<Findings, 'settings'> & Parameters<typeof flagsToSplit>[0],
  { jobs, legs, diffs }: { readonly jobs: readonly Leg[]; readonly legs: readonly Leg[]; readonly diffs: ChangeDiffs },
): ReadonlyMap<string, ChangeSums> {
  const reportsOf = (some: readonly Leg[], flag: string): Report =>
    mergeReports(some.filter((leg) => leg.flag === flag).map(({ report }) => report));
  const splits = flagsToSplit(found).flatMap((flag) => {
    const split = sumOwnChange({ base: reportsOf(legs, flag), head: reportsOf(jobs, flag) }, diffs);
    return split === undefined ? [] : [[flag, split] as const];
  });
  return new Map(splits);
}

const addresses = createAddresses(() => 'https://ci.example');

function present(build: Build, base: Build | undefined, settings: RepoSettings): Told {
  const shownOf = (one: Build) => aShownBuild(one, { repo: { ...A_REPO, settings } });
  if (build.result === undefined) throw new Error('not closed');
  const { patchStatus, patchMinimum, coverageStatus } = settings;
  const repo = { ...announcing.repo, patchStatus, patchMinimum, coverageStatus };
  const check = { name: 'coverage/lines', wanted: true };
  const { messages } = planClose({ ...build, result: undefined }, build.result, { ...announcing, repo, check });
  const statuses: Record<string, string> = {};
  let comment = '';
  for (const { target, content } of messages) {
    if (target.kind === 'status' && content.kind === 'status')
      statuses[target.context] = `${content.state}: ${content.description}`;
    if (content.kind === 'comment') comment = content.body;
    if (content.kind === 'check') statuses['check run'] = content.title;
  }
  const json = (one: Build) => presentBuild(shownOf(one), addresses, { showEmail: false });
  return {
    json: json(build),
    base: base && json(base),
    statuses,
    comment,
    page: [...renderBuildPage(shownOf(build), aPageContext())].join(''),
    list: [
      ...renderParts(buildTable({ repo: A_REPO, builds: [summarizeBuild(build)], bases: new Set() }, aPageContext())),
    ].join(''),
    sumsUp: coverageStatus === 'overall',
  };
}
