import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseBase } from '../server/src/closing/choose-base.ts';
import type { Build } from '../server/src/core/builds/build.ts';
import { flagsToCarry, namedFlags } from '../server/src/core/builds/carryforward.ts';
import { fitCarried } from '../server/src/core/builds/fit-carried.ts';
import { branchesFromGroups } from '../server/src/core/coverage/branches.ts';
import type { FileCoverage } from '../server/src/core/coverage/file-coverage.ts';
import { mergeReports } from '../server/src/core/coverage/merge.ts';
import { changeOf, type Ratio, showChange, showPercent, totalPercent } from '../server/src/core/coverage/percent.ts';
import { type CoverageTotals, reportTotals } from '../server/src/core/coverage/totals.ts';
import { parseFilePatch } from '../server/src/core/diff/parse-patch.ts';
import { DEFAULT_REPO_SETTINGS } from '../server/src/core/repo/settings.ts';
import type { JudgedBase } from '../server/src/core/verdict/findings.ts';
import { judgeBuild, judgeFlag } from '../server/src/core/verdict/judge-build.ts';
import { createDeadline } from '../server/src/hosts/facts/deadline.ts';
import { systemTimers } from '../server/src/platform/timers/system-timers.ts';
import { aRepo, historyOf, telling } from './support/build-history.ts';
import { aBuild, aClosedBuild, aResult, providerFacts, sha, toColumn, totals } from './support/records.ts';

/** The published cases, as vectors/README.md describes them, against this implementation. */
const FOLDER = new URL('../vectors/', import.meta.url);
const SETS = readdirSync(FOLDER).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
const run: Record<string, (one: never) => void | Promise<void>> = {
  merge: checkMerge,
  branches: checkMerge,
  percent: checkPercent,
  verdict: checkVerdict,
  'carried-flags': checkCarriedFlags,
  'carried-lines': checkCarriedLines,
  base: checkBase,
};

describe.each(SETS)('vectors/%s.json', (name) => {
  const { version, cases } = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  test('is of version 1, and no name is there twice', () => {
    expect(version).toBe(1);
    expect(new Set(cases.map((one: Named) => one.name)).size).toBe(cases.length);
  });
  test.each<Named>(cases)('$name', (one) => run[name]?.(one as never) ?? expect(run).toHaveProperty(name));
});

interface Named {
  readonly name: string;
}

interface WrittenFile {
  readonly name: string;
  readonly coverage: readonly (number | null)[];
  readonly branches?: readonly number[];
}

interface WrittenCounts {
  readonly covered_lines: number;
  readonly relevant_lines: number;
  readonly covered_branches: number;
  readonly branches: number;
}

const fileOf = ({ name, coverage, branches = [] }: WrittenFile): FileCoverage => ({
  name,
  digest: undefined,
  source: undefined,
  hits: toColumn(coverage.map((hits) => hits ?? -1)),
  branches: branchesFromGroups(branches),
});

function written({ name, hits, branches }: FileCoverage): WrittenFile {
  const { line, block, branch } = branches;
  const groups = [...line].flatMap((of, index) => [of, block[index], branch[index], branches.hits[index]] as number[]);
  const coverage = [...hits].map((count) => (count < 0 ? null : count));
  return groups.length === 0 ? { name, coverage } : { name, coverage, branches: groups };
}

const totalsOf = (counts: WrittenCounts): CoverageTotals => ({
  coveredLines: counts.covered_lines,
  relevantLines: counts.relevant_lines,
  coveredBranches: counts.covered_branches,
  branches: counts.branches,
});

function lowestTerms(ratio: Ratio | undefined): string | null {
  if (ratio === undefined) return null;
  const [numerator, denominator] = [ratio.numerator, ratio.denominator];
  const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));
  const by = divisor(numerator < 0n ? -numerator : numerator, denominator);
  return `${numerator / by}/${denominator / by}`;
}

function checkMerge(one: {
  readonly jobs: readonly (readonly WrittenFile[])[];
  readonly merged: readonly WrittenFile[];
  readonly counts: WrittenCounts;
  readonly percent: string;
}): void {
  const merged = mergeReports(one.jobs.map((files) => ({ files: files.map(fileOf) })));
  expect(merged.files.map(written)).toEqual(one.merged);
  expect(reportTotals(merged)).toEqual(totalsOf(one.counts));
  expect(showPercent(totalPercent(reportTotals(merged)))).toBe(one.percent);
}

function checkPercent(one: {
  readonly counts: WrittenCounts;
  readonly base: WrittenCounts | null;
  readonly exact: string | null;
  readonly percent: string;
  readonly change: string | null;
  readonly shown_change: string | null;
}): void {
  const percent = totalPercent(totalsOf(one.counts));
  const change = one.base === null ? undefined : changeOf(totalsOf(one.counts), totalsOf(one.base));
  expect(lowestTerms(percent)).toBe(one.exact);
  expect(showPercent(percent)).toBe(one.percent);
  expect(lowestTerms(change)).toBe(one.change);
  expect(change === undefined ? null : showChange(change)).toBe(one.shown_change);
}

interface WrittenThresholds {
  readonly minimum: number | null;
  readonly allowed_drop: number | null;
}

function checkVerdict(
  one: WrittenThresholds & {
    readonly of: 'build' | 'flag';
    readonly counts: WrittenCounts;
    readonly base: WrittenCounts | null;
    readonly own?: WrittenThresholds;
    readonly unreported?: readonly string[];
    readonly state: string;
    readonly rule: string;
  },
): void {
  const thresholdsOf = (stated: WrittenThresholds) => ({
    minimum: stated.minimum,
    allowedDrop: stated.allowed_drop,
  });
  const base: JudgedBase | undefined = one.base === null ? undefined : { number: '1', totals: totalsOf(one.base) };
  const judged = { totals: totalsOf(one.counts), base, thresholds: thresholdsOf(one) };
  const { state, rule } =
    one.of === 'build'
      ? judgeBuild({ ...judged, unreported: one.unreported ?? [] })
      : judgeFlag({ ...judged, own: one.own && thresholdsOf(one.own) });
  expect({ state, rule }).toEqual({ state: one.state, rule: one.rule });
}

function checkCarriedFlags(one: {
  readonly request: 'all' | readonly string[];
  readonly known: readonly string[];
  readonly base: readonly string[];
  readonly uploaded: readonly string[];
  readonly carried: readonly string[];
}): void {
  const request = one.request === 'all' ? 'all' : namedFlags(one.request, new Set(one.known));
  expect(flagsToCarry(request, one.base, one.uploaded)).toEqual(one.carried);
}

function checkCarriedLines(one: {
  readonly carried: WrittenFile;
  readonly patch: { readonly name: string; readonly previous_name?: string; readonly hunks: string };
  readonly counted: WrittenFile;
}): void {
  const { name, previous_name: previousName, hunks: patch } = one.patch;
  const kind = previousName === undefined ? 'modified' : 'renamed';
  const diff = { files: [parseFilePatch({ name, previousName, kind, patch })], complete: true };
  const { report, leftOut } = fitCarried({ files: [fileOf(one.carried)] }, { files: [] }, { diff });
  const counts = ({ name: of, coverage, branches = [] }: WrittenFile) => ({
    name: of,
    // Lines after the last relevant one count for nothing.
    coverage: coverage.slice(0, coverage.findLastIndex((hits) => hits !== null) + 1),
    branches,
  });
  expect(leftOut).toBe(0);
  expect(report.files.map((file) => counts(written(file)))).toEqual([counts(one.counted)]);
}

interface WrittenBuild {
  readonly sequence: number;
  readonly branch: string;
  readonly commit: string;
  readonly service?: string;
  readonly pull_request?: number;
  readonly tag?: true;
  readonly trust?: 'run';
  readonly percent?: false;
  readonly incomplete?: true;
}

function buildOf(of: WrittenBuild): Partial<Build> {
  const { sequence, branch, commit, service: serviceName = 'ci', pull_request: pullRequest } = of;
  return { sequence, branch, commit, serviceName, pullRequest, tag: of.tag ?? false, trust: of.trust ?? 'secret' };
}

const INCOMPLETE = {
  state: 'incomplete',
  rule: 'incomplete',
  explanation: '',
  summary: '',
  provisional: false,
} as const;

async function checkBase(one: {
  readonly build: WrittenBuild & {
    readonly base_branch?: string;
    readonly merge_base?: string;
    readonly merge_parent?: string;
    readonly compare_sha?: string;
    readonly compare_ref?: string;
  };
  readonly default_branch?: string;
  readonly ancestors?: readonly string[];
  readonly builds: readonly WrittenBuild[];
  readonly base: { readonly sequence: number; readonly rule: string; readonly commits_away?: number } | null;
}): Promise<void> {
  const { base_branch: baseBranch, merge_base: mergeBase, merge_parent: mergeParent } = one.build;
  const build = aBuild({
    ...buildOf(one.build),
    baseBranch,
    compareCommit: one.build.compare_sha,
    compareRef: one.build.compare_ref,
    facts: providerFacts({ mergeBase, mergeParent }),
    ...(mergeParent !== undefined && { testedCommit: sha('9') }),
  });
  const history = one.builds.map((written) =>
    aClosedBuild({
      ...buildOf(written),
      result: aResult({
        ...(written.percent === false && { totals: totals(0, 0) }),
        ...(written.incomplete && { verdict: INCOMPLETE }),
      }),
    }),
  );
  const services = { builds: historyOf([...history, build]), ...telling(one.ancestors ?? []) };
  const repo = aRepo({ settings: { ...DEFAULT_REPO_SETTINGS, defaultBranch: one.default_branch } });
  const deadline = createDeadline(systemTimers, 1_000);
  const { base } = await chooseBase(services, { build, repo, flags: [], deadline });
  const found = base && { sequence: base.build.sequence, rule: base.pick.rule, commits_away: base.pick.commitsAway };
  expect(found ?? null).toEqual(one.base && { commits_away: undefined, ...one.base });
}
