import type { Build, CarriedPick, CarryforwardRequest } from './build.ts';

/** The flags that a close is to fill in (rule 15): those named, or all of the base's, that no job of the build has. */
export function flagsToCarry(
  request: CarryforwardRequest | undefined,
  baseFlags: readonly string[],
  uploaded: readonly string[],
): readonly string[] {
  const wanted = request === 'all' ? baseFlags : (request ?? []);
  return [...new Set(wanted)].filter((flag) => !uploaded.includes(flag));
}

/** Flags of a list that hold more commas are found only where each name stands for itself. */
const MAX_PIECES = 20;

/**
 * The flags that a request names. An entry may be a comma list, and a flag's name may hold commas: the longest names
 * that the repo knows go first.
 */
export function namedFlags(entries: readonly string[], known: ReadonlySet<string>): readonly string[] {
  return [...new Set(entries.flatMap((entry) => (known.has(entry) ? [entry] : splitNames(entry, known))))];
}

function splitNames(list: string, known: ReadonlySet<string>): readonly string[] {
  const pieces = list.split(',');
  const names: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    let end = Math.min(at + MAX_PIECES, pieces.length);
    const name = (): string => pieces.slice(at, end).join(',').trim();
    while (end > at + 1 && !known.has(name())) end -= 1;
    names.push(name());
    at = end;
  }
  return names.filter((name) => name !== '');
}

/** The newer of the newest uploaded reports of a flag in the build's own history and on its base branch (rule 15). */
export function newerBuild(a: Build | undefined, b: Build | undefined): Build | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.sequence > b.sequence ? a : b;
}

/** What a build keeps of where a carried flag comes from (rule 16). */
export function toCarriedPick(flag: string, origin: Build): CarriedPick {
  return {
    flag,
    buildId: origin.id,
    number: origin.number,
    commit: origin.commit,
    textCommit: origin.landed?.commit ?? origin.testedCommit,
    closedAt: origin.result?.closedAt ?? origin.lastJobAt,
    closeCount: origin.result?.closeCount ?? 0,
  };
}
