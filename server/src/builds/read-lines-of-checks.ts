import { type BuildCheck, checksOf } from '../core/builds/build-checks.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../core/coverage/totals.ts';
import { checkId, sortChecks, standingOf } from '../core/verdict/checks.ts';
import type { Services } from '../services/services.ts';
import { type FlagChange, readFlagChange } from './read-flag-change.ts';
import { readGroupFiles } from './read-group-files.ts';
import { type LinesToCover, readLinesToCover } from './read-lines-to-cover.ts';
import type { ShownBuild } from './show-build.ts';

/** What is to be covered for some checks of a build, or for all of them. */
export interface LinesOfChecks {
  /** The id of a check, `failing` for all that fail, or `all`. */
  readonly selected: string;
  /** Undefined where nothing is to be covered. */
  readonly lines: LinesToCover | undefined;
  /** The changed lines that are meant; undefined where none are known. */
  readonly changed: CoverageTotals | undefined;
  /** Whose lines may be asked for beside `all`: `failing`, and ids of checks, those that fail first. */
  readonly choices: readonly string[];
}

/** Flags whose lines are read together, and that may be chosen. */
const MAX_JOINED = 5;
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
  const asked = { build, repo, mayReadSource, mayReadHostSource };
  const { result } = build;
  const checks = result === undefined ? [] : sortChecks(checksOf({ ...result, flags: flags.entries }));
  const wanted = choose(checks, check);
  const choices = choicesIn(checks, wanted);
  const ofGroup = wanted.group === undefined ? undefined : await readLinesOfGroup(services, asked, wanted.group);
  if (ofGroup !== undefined) return { selected: wanted.selected, ...ofGroup, choices };
  const found = await Promise.all(wanted.flags.map((flag) => readFlagChange(services, { build, repo, flag })));
  const changes = found.filter((one) => one !== undefined);
  const isKnown = changes.length > 0 && changes.length === found.length;
  // Nobody asked for these alone: where they miss nothing, the others are of more use.
  if (isKnown && (check === wanted.selected || changes.some(missesLines)))
    return {
      selected: wanted.selected,
      lines: await readLinesToCover(services, { ...asked, flags: changes }),
      changed: changes.reduce((sum, { patch }) => addTotals(sum, patch.totals), NO_TOTALS),
      choices,
    };
  const lines = await readLinesToCover(services, asked);
  return { selected: 'all', lines, changed: result?.patch?.totals, choices };
}

/** Undefined where its files or its changed lines are not known. */
async function readLinesOfGroup(
  services: Services,
  asked: Parameters<typeof readLinesToCover>[1],
  id: string,
): Promise<Pick<LinesOfChecks, 'lines' | 'changed'> | undefined> {
  const found = await readGroupFiles(services, { ...asked, id });
  if (found?.group.changes === undefined) return undefined;
  const { isIn, flags } = found;
  const ofFlags = await Promise.all(flags.map((flag) => readFlagChange(services, { ...asked, flag })));
  const own = flags.length === 0 ? {} : { flags: ofFlags.filter((one) => one !== undefined) };
  return { lines: await readLinesToCover(services, { ...asked, ...own, isIn }), changed: found.group.changes };
}

interface Wanted {
  readonly selected: string;
  readonly flags: readonly string[];
  /** Its id. */
  readonly group?: string | undefined;
}

const ALL: Wanted = { selected: 'all', flags: [] };

function choose(checks: readonly BuildCheck[], check: string | undefined): Wanted {
  const named = /^flag:(.+)$/s.exec(check ?? '')?.[1];
  if (check !== undefined && named !== undefined) return { selected: check, flags: [named] };
  const group = checks.find((one) => one.id === check)?.group;
  if (check !== undefined && group !== undefined) return { selected: check, flags: [], group: group.id };
  if (check !== undefined && check !== 'failing') return ALL;
  const failing = checks.filter((one) => standingOf(one) === 'failing');
  const flags = failing.flatMap(({ flag }) => (flag?.kind === 'uploaded' ? flag.name : []));
  const [first] = flags;
  const [only] = failing;
  if (failing.length === 1 && only?.group !== undefined) return { selected: only.id, flags: [], group: only.group.id };
  if (first === undefined || failing.some(({ kind }) => kind !== 'flag')) return ALL;
  if (flags.length === 1) return { selected: checkId('flag', first), flags };
  return { selected: 'failing', flags: flags.slice(0, MAX_JOINED) };
}

function choicesIn(checks: readonly BuildCheck[], { selected }: Wanted): readonly string[] {
  const short = checks.filter(
    (one) => (one.flag?.kind === 'uploaded' || one.group?.changes !== undefined) && standingOf(one) !== 'passing',
  );
  const ids = short.map(({ id }) => id).slice(0, MAX_CHOICES);
  const failing = choose(checks, undefined).selected;
  const all = [...(failing === 'failing' ? [failing] : []), ...ids, ...(selected === 'all' ? [] : [selected])];
  return [...new Set(all)];
}

function missesLines({ patch: { totals } }: FlagChange): boolean {
  return totals.coveredLines < totals.relevantLines || totals.coveredBranches < totals.branches;
}
