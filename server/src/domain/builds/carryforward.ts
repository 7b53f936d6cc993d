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
