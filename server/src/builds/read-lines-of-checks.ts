import type { FlagResult } from '../core/builds/build.ts';
import { type BuildCheck, checksOf } from '../core/builds/build-checks.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { addTotals, type CoverageTotals, missedBranches, missedLines, NO_TOTALS } from '../core/coverage/totals.ts';
import type { Repo } from '../core/repo/repo.ts';
import { sortChecks, standingOf } from '../core/verdict/checks.ts';
import type { Services } from '../services/services.ts';
import { type FlagChange, readFlagChange } from './read-flag-change.ts';
import { readGroupFiles } from './read-group-files.ts';
import { type ChangeSource, type LinesToCover, patchFiles, readLinesToCover } from './read-lines-to-cover.ts';
import type { ShownBuild } from './show-build.ts';

/** What is to be covered for some checks of a build, or for all of them. */
export interface LinesOfChecks {
  /** The id of a check, `failing` for all that fail, or `all`. */
  readonly selected: string;
  /** Undefined if nothing is to be covered. */
  readonly lines: LinesToCover | undefined;
  /** The changed lines that are meant; undefined if none are known. */
  readonly changed: CoverageTotals | undefined;
  /** Whose lines may be asked for: `failing`, ids of checks, those that fail first, and `all`. */
  readonly choices: readonly LinesChoice[];
}

export interface LinesChoice {
  readonly id: string;
  /** For a check that has a name of its own. */
  readonly check: Pick<BuildCheck, 'kind' | 'name'> | undefined;
  /** Missed lines and branches, where they are known without reading reports. */
  readonly missed: number | undefined;
}

/** Flags and groups whose lines are read together, and that may be chosen. */
const MAX_JOINED = { flags: 5, groups: 20 };
const MAX_CHOICES = 6;

/**
 * `check`: as the address of the page has it; undefined: those that fail. Anything unknown is `all`.
 * The total and the changed lines mean every changed line that no test runs; a flag those that its own jobs measured
 * and did not run; a group those of its files.
 */
export async function readLinesOfChecks(
  services: Services,
  shown: ShownBuild & Pick<Parameters<typeof readLinesToCover>[1], 'mayReadSource' | 'mayReadHostSource'>,
  check: string | undefined,
): Promise<LinesOfChecks> {
  const { build, repo, flags, mayReadSource, mayReadHostSource } = shown;
  const { sources, ...chosen } = await chooseChange(services, { build, repo, flags: flags.entries }, check);
  const asked = { build, repo, mayReadSource, mayReadHostSource, ...(sources && { sources }) };
  return { ...chosen, lines: await readLinesToCover(services, asked) };
}

/** The changed files that count for some checks of a build. `sources`: undefined for all of them. */
export interface ChosenChange extends Omit<LinesOfChecks, 'lines'> {
  readonly sources: readonly ChangeSource[] | undefined;
}

/** `check` as of readLinesOfChecks. */
export async function chooseChange(
  services: FindServices,
  { flags, ...asked }: Asked & { readonly flags: readonly FlagResult[] },
  check: string | undefined,
): Promise<ChosenChange> {
  const { result } = asked.build;
  const checks = result === undefined ? [] : sortChecks(checksOf({ ...result, flags }));
  const wanted = choose(checks, check);
  const choices = choicesIn(checks, wanted, result?.patch?.totals);
  const found = await findWanted(services, asked, wanted);
  // Nobody asked for these alone: where they miss nothing, the others are of more use.
  if (found !== undefined && (check === wanted.selected || missedOf(found.changed) !== 0))
    return { selected: wanted.selected, ...found, choices };
  return { selected: 'all', sources: undefined, changed: result?.patch?.totals, choices };
}

type FindServices = Parameters<typeof readFlagChange>[0];
type Found = Pick<ChosenChange, 'sources' | 'changed'>;
interface Asked {
  readonly build: BuildView;
  readonly repo: Repo;
}

/** Undefined if everything is wanted, or not all that is wanted is known. */
async function findWanted(services: FindServices, asked: Asked, { flags, groups }: Wanted): Promise<Found | undefined> {
  const [first] = groups;
  if (flags.length === 0 && groups.length === 1 && first !== undefined) return findOfGroup(services, asked, first);
  const [changes, files] = await Promise.all([
    Promise.all(flags.map((flag) => readFlagChange(services, { ...asked, flag }))),
    Promise.all(groups.map((id) => readGroupFiles(services, { ...asked, id }))),
  ]);
  const ofFlags = changes.filter((one) => one !== undefined);
  const ofGroups = files.filter((one) => one !== undefined && one.flags.length === 0);
  const isKnown = ofFlags.length === flags.length && ofGroups.length === groups.length;
  if (!isKnown || flags.length + groups.length === 0) return undefined;
  // Unless a flag has them: what all jobs missed each of them missed.
  const known = new Set(ofFlags.flatMap(({ patch }) => patch.files.map(({ name }) => name)));
  const isBeside = (name: string): boolean => !known.has(name) && ofGroups.some((group) => group?.isIn(name));
  const beside = patchFiles(asked).filter(({ name }) => isBeside(name));
  const all = [...ofFlags.map(({ patch }) => patch), ...beside];
  return {
    sources: [...ofFlags.map(sourceOf), { of: undefined, files: beside }],
    changed: all.reduce((sum, { totals }) => addTotals(sum, totals), NO_TOTALS),
  };
}

function sourceOf(of: FlagChange): ChangeSource {
  return { of, files: of.patch.files };
}

/** Undefined if its files or its changed lines are not known. */
async function findOfGroup(services: FindServices, asked: Asked, id: string): Promise<Found | undefined> {
  const found = await readGroupFiles(services, { ...asked, id });
  if (found?.group.changes === undefined) return undefined;
  const { isIn, flags } = found;
  const ofFlags = await Promise.all(flags.map((flag) => readFlagChange(services, { ...asked, flag })));
  const all =
    flags.length === 0
      ? [{ of: undefined, files: patchFiles(asked) }]
      : ofFlags.filter((one) => one !== undefined).map(sourceOf);
  const sources = all.map(({ of, files }) => ({ of, files: files.filter(({ name }) => isIn(name)) }));
  return { sources, changed: found.group.changes };
}

interface Wanted {
  readonly selected: string;
  readonly flags: readonly string[];
  /** Their ids. */
  readonly groups: readonly string[];
}

const ALL: Wanted = { selected: 'all', flags: [], groups: [] };

function choose(checks: readonly BuildCheck[], check: string | undefined): Wanted {
  const named = /^flag:(.+)$/s.exec(check ?? '')?.[1];
  if (check !== undefined && named !== undefined) return { selected: check, flags: [named], groups: [] };
  const group = checks.find((one) => one.id === check)?.group;
  if (check !== undefined && group !== undefined) return { selected: check, flags: [], groups: [group.id] };
  if (check !== undefined && check !== 'failing') return ALL;
  const failing = checks.filter((one) => standingOf(one) === 'failing');
  if (failing.some(({ kind }) => kind !== 'flag' && kind !== 'group')) return ALL;
  const own = failing.filter(hasLines);
  const [first] = own;
  if (first === undefined) return ALL;
  const flags = own.flatMap(({ flag }) => flag?.name ?? []).slice(0, MAX_JOINED.flags);
  const groups = own.flatMap((one) => one.group?.id ?? []);
  if (groups.length > MAX_JOINED.groups) return ALL;
  return { selected: own.length === 1 ? first.id : 'failing', flags, groups };
}

/** Whether it has changed lines of its own. */
function hasLines({ flag, group }: BuildCheck): boolean {
  return flag?.kind === 'uploaded' || group?.changes !== undefined;
}

function choicesIn(
  checks: readonly BuildCheck[],
  { selected }: Wanted,
  all: CoverageTotals | undefined,
): readonly LinesChoice[] {
  const short = checks.filter((one) => hasLines(one) && standingOf(one) !== 'passing').slice(0, MAX_CHOICES);
  const ofChecks = [...new Set([...short.map(({ id }) => id), ...(isOfCheck(selected) ? [selected] : [])])];
  const joined = choose(checks, undefined).selected === 'failing' || selected === 'failing' ? ['failing'] : [];
  const ids = [...joined, ...ofChecks];
  if (ids.length === 0) return [];
  return [
    ...ids.map((id) => {
      const check = checks.find((one) => one.id === id);
      return { id, check, missed: missedOf(check?.group?.changes) };
    }),
    { id: 'all', check: undefined, missed: missedOf(all) },
  ];
}

function isOfCheck(selected: string): boolean {
  return selected !== 'all' && selected !== 'failing';
}

function missedOf(totals: CoverageTotals | undefined): number | undefined {
  return totals && missedLines(totals) + missedBranches(totals);
}
