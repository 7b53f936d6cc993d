import { slugOf } from '@coverage/shared/coverage-file/declared';
import { type FitsPath, pathList } from '@coverage/shared/path-patterns';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { compareNames, createRunningMerge } from '../coverage/merge.ts';
import { addTotals, type CoverageTotals, fileTotals, NO_TOTALS } from '../coverage/totals.ts';
import { type Diff, type FileDiff, indexDiffs } from '../diff/file-diff.ts';
import { patchCoverage } from '../diff/patch-coverage.ts';
import { type OwnersOf, readCodeOwners } from '../repo/code-owners.ts';
import type { GroupFiles } from '../repo/repo-rules.ts';
import type { UnmeasuredLines } from './unmeasured-lines.ts';

/** Groups that `each` finds. */
const MAX_EACH = 500;
/** Owners that are counted. */
const MAX_OWNERS = 500;

/** What is to be counted beside the whole report. Plain data: it is sent to a thread. */
export interface PartsAsked {
  readonly groups: readonly GroupAsked[];
  /** The text of CODEOWNERS; undefined: there is none, or nobody asks for it. */
  readonly owners: string | undefined;
  /** Whether all owners are counted, not only those that have a group. */
  readonly allOwners: boolean;
  /** Flags whose changed lines are counted by their reports alone. */
  readonly flagLines: readonly string[];
}

export interface GroupAsked {
  readonly id: string;
  readonly name: string;
  readonly files: GroupFiles;
  readonly flags: readonly string[];
  /** For its patterns, so that a trend shows where they changed. */
  readonly digest: string;
}

/** The numbers of one group. Its base is counted by the same patterns, whatever they were then. */
export interface ComposedGroup {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  /** The group that was asked for; several are of one `each`. */
  readonly of: string;
  readonly totals: CoverageTotals;
  /** Undefined without a base, and of a group by flags, whose base no merged report tells. */
  readonly baseTotals: CoverageTotals | undefined;
  readonly files: number;
  /** The change has a file below its folders, or it is not known what changed. */
  readonly touched: boolean;
  /** For the files that the base has and the report does not, the change took all out. */
  readonly gone: boolean;
  /** Its changed lines; undefined if no diff is known. */
  readonly changes: CoverageTotals | undefined;
}

export interface ComposedOwner {
  /** As CODEOWNERS writes it; undefined: of the files that nobody owns. */
  readonly owner: string | undefined;
  readonly totals: CoverageTotals;
  readonly baseTotals: CoverageTotals | undefined;
  readonly files: number;
}

export interface ComposedParts {
  readonly groups: readonly ComposedGroup[];
  readonly owners: readonly ComposedOwner[];
}

/** What the parts of a build are counted from. */
export interface CountedReports {
  readonly report: Report;
  readonly base: Report | undefined;
  /** From the base's commit, by which renamed files are found. */
  readonly baseDiff: Diff | undefined;
  /** The change's own. */
  readonly patch: Diff | undefined;
  readonly unmeasured?: UnmeasuredLines | undefined;
  /** By the id of a group by flags: what the reports of these flags make together. */
  readonly byFlags: ReadonlyMap<string, Report>;
}

/** One pass over the files of two reports: each is counted once, and added where its name fits. */
export function composeParts(asked: PartsAsked, counted: CountedReports): ComposedParts {
  const ownersOf = asked.owners === undefined ? NOBODY : readCodeOwners(asked.owners);
  const renames = indexDiffs(counted.baseDiff?.files ?? []).byPreviousName;
  const head = countFiles(counted.report.files);
  const base = counted.base && countFiles(counted.base.files, (name) => renames.get(name)?.name);
  const groups = asked.groups.flatMap((group) => expand(group, counted.report, ownersOf));
  const taken = new Set<string>();
  return {
    groups: groups.map((group) => {
      const id = uniqueId(group.id, taken);
      taken.add(id);
      return composeGroup({ ...group, id }, { ...counted, head, before: base });
    }),
    owners: asked.allOwners ? composeOwners(ownersOf, head, base) : [],
  };
}

/** Folders that differ in signs alone have one name in addresses: the later ones are counted. */
function uniqueId(id: string, taken: ReadonlySet<string>): string {
  let unique = id;
  for (let count = 2; taken.has(unique); count += 1) unique = `${id}-${count}`;
  return unique;
}

const NOBODY: OwnersOf = () => [];

interface CountedFile {
  readonly name: string;
  readonly totals: CoverageTotals;
}

function countFiles(
  files: readonly FileCoverage[],
  renamed: (name: string) => string | undefined = () => undefined,
): readonly CountedFile[] {
  return files.map((file) => {
    const name = renamed(file.name);
    return { name: name === undefined ? file.name : normalizeFileName(name), totals: fileTotals(file) };
  });
}

/** A group with what tells whether a file is in it, and whether a changed file lies below its folders. */
interface FoundGroup extends Omit<ComposedGroup, 'totals' | 'baseTotals' | 'files' | 'touched' | 'gone' | 'changes'> {
  readonly flags: readonly string[];
  readonly isIn: FitsPath;
  readonly isNear: FitsPath;
}

/** Whether a file is in a group, which is one of several where `each` makes it; undefined: there is none so called. */
export function fitsGroup(
  asked: GroupAsked,
  { name, files, owners }: { readonly name: string; readonly files: Named; readonly owners: string | undefined },
): FitsPath | undefined {
  const found = expand(asked, { files }, owners === undefined ? NOBODY : readCodeOwners(owners));
  return found.find((group) => group.name === name)?.isIn;
}

type Named = readonly { readonly name: string }[];

function expand(asked: GroupAsked, report: { readonly files: Named }, ownersOf: OwnersOf): readonly FoundGroup[] {
  const { files, id, name, digest, flags } = asked;
  if (files.kind === 'each') return expandEach(asked, files.pattern, report);
  const found = { id, name, digest, of: id, flags };
  if (files.kind === 'owner') {
    const isIn = (path: string): boolean => ownersOf(path).includes(files.owner);
    return [{ ...found, isIn, isNear: isIn }];
  }
  // What a group takes out, such as its tests, may well change its numbers.
  const near = pathList(files.patterns.filter((pattern) => !pattern.startsWith('!')));
  return [{ ...found, isIn: pathList(files.patterns), isNear: near }];
}

/** A group for each folder that replaces the star. */
function expandEach({ id: of, name, digest, flags }: GroupAsked, pattern: string, report: { readonly files: Named }) {
  const [start = '', end = ''] = pattern
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('*');
  const names = new Set<string>();
  for (const file of report.files) {
    if (!file.name.startsWith(start)) continue;
    const found = file.name.slice(start.length).split('/')[0] ?? '';
    const folder = `${start}${found}`;
    const isFolder = end === '' || end.startsWith('/') ? true : found.endsWith(end);
    const inner = isFolder && end !== '' && !end.startsWith('/') ? found.slice(0, -end.length) : found;
    const whole = end.startsWith('/') ? `${folder}${end}` : folder;
    if (isFolder && inner !== '' && file.name.startsWith(`${whole}/`)) names.add(inner);
    if (names.size > MAX_EACH) break;
  }
  return [...names]
    .sort(compareNames)
    .slice(0, MAX_EACH)
    .map((found): FoundGroup => {
      const called = name.replace('{1}', () => found);
      const folder = `${start}${found}${end}/`;
      const isIn = (path: string): boolean => path.startsWith(folder);
      return { id: slugOf(called), name: called, digest, of, flags, isIn, isNear: isIn };
    });
}

function composeGroup(
  group: FoundGroup,
  counted: CountedReports & {
    readonly head: readonly CountedFile[];
    readonly before: readonly CountedFile[] | undefined;
  },
): ComposedGroup {
  const { id, name, digest, of, flags, isIn, isNear } = group;
  const byFlags = flags.length > 0;
  const report = byFlags ? (counted.byFlags.get(of) ?? { files: [] }) : counted.report;
  const files = (byFlags ? countFiles(report.files) : counted.head).filter((file) => isIn(file.name));
  const before = byFlags ? undefined : counted.before?.filter((file) => isIn(file.name));
  const left = new Set(files.map((file) => file.name));
  const lost = (before ?? []).filter((file) => !left.has(file.name));
  return {
    ...{ id, name, digest, of },
    totals: sumOf(files),
    baseTotals: before && sumOf(before),
    files: files.length,
    touched: counted.patch === undefined || !counted.patch.complete || counted.patch.files.some(touches(isNear)),
    gone: lost.length > 0 && lost.every(({ name: path }) => isTakenOut(path, counted.patch)),
    changes: counted.patch && changedLines(report, counted.patch, { isIn, unmeasured: counted.unmeasured }),
  };
}

function touches(isNear: FitsPath): (file: FileDiff) => boolean {
  return ({ name, previousName }) =>
    [name, previousName].some((one) => one !== undefined && isNear(normalizeFileName(one)));
}

function isTakenOut(path: string, patch: Diff | undefined): boolean {
  const names = (file: FileDiff): string =>
    normalizeFileName(file.kind === 'removed' ? file.name : (file.previousName ?? ''));
  return patch?.files.some((file) => names(file) === path) === true;
}

/** The changed lines in some files of a report. */
export function changedLines(
  report: Report,
  patch: Diff,
  {
    isIn = () => true,
    unmeasured,
  }: { readonly isIn?: FitsPath; readonly unmeasured?: UnmeasuredLines | undefined } = {},
): CoverageTotals {
  const inside = patch.files.filter((file) => isIn(normalizeFileName(file.name)));
  const changed = new Set(inside.map((file) => normalizeFileName(file.name)));
  const files = report.files.filter((file) => changed.has(file.name));
  return patchCoverage({ files }, inside, unmeasured).totals;
}

function composeOwners(
  ownersOf: OwnersOf,
  head: readonly CountedFile[],
  base: readonly CountedFile[] | undefined,
): readonly ComposedOwner[] {
  const keysOf = ({ name }: CountedFile): readonly (string | undefined)[] => {
    const owners = ownersOf(name);
    return owners.length === 0 ? [undefined] : owners;
  };
  const add = (files: readonly CountedFile[]) => {
    const sums = new Map<string | undefined, { totals: CoverageTotals; files: number }>();
    for (const file of files)
      for (const owner of keysOf(file)) {
        const { totals, files: count } = sums.get(owner) ?? { totals: NO_TOTALS, files: 0 };
        sums.set(owner, { totals: addTotals(totals, file.totals), files: count + 1 });
      }
    return sums;
  };
  const [now, before] = [add(head), base && add(base)];
  return [...now]
    .map(([owner, sum]) => ({ owner, ...sum, baseTotals: before && (before.get(owner)?.totals ?? NO_TOTALS) }))
    .sort(
      (a, b) =>
        Number(a.owner === undefined) - Number(b.owner === undefined) || compareNames(a.owner ?? '', b.owner ?? ''),
    )
    .slice(0, MAX_OWNERS);
}

function sumOf(files: readonly CountedFile[]): CoverageTotals {
  return files.reduce((sum, { totals }) => addTotals(sum, totals), NO_TOTALS);
}

/** Merges what the reports of some flags bring, flag after flag, for the groups that ask for these flags alone. */
export function createFlagGroups(asked: PartsAsked | undefined) {
  const wanted = (asked?.groups ?? [])
    .filter(({ flags }) => flags.length > 0)
    .map(({ id, flags }) => ({ id, flags, merge: createRunningMerge() }));
  return {
    add(flag: string, report: Report): void {
      for (const one of wanted) if (one.flags.includes(flag)) one.merge.add(report);
    },
    finish: (): ReadonlyMap<string, Report> => new Map(wanted.map(({ id, merge }) => [id, merge.finish()])),
  };
}
