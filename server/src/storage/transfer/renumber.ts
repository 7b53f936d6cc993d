import type { BasePick, Build, BuildResult, CarriedPick } from '../../core/builds/build.ts';
import type { ExportedBuild } from './build-form.ts';

/** Ids of an export and what they are on this server. */
export interface NewIds {
  build(id: number): number;
  job(id: number): number;
}

const BUILD = 'build:';

/** A closed build as this server stores it: with its own ids, and with nothing due, so that nothing is announced. */
export function renumberBuild(exported: ExportedBuild, repoId: number, ids: NewIds): Build {
  const { hasReport: _, result, id, missingBases, ...build } = exported;
  return {
    ...build,
    id: ids.build(id),
    repoId,
    state: 'closed',
    due: [],
    namelessCloseAt: undefined,
    result: renumberResult(result, ids),
    ...(missingBases && { missingBases: missingBases.map((one) => renumberMissing(one, ids)) }),
  };
}

function renumberResult(result: BuildResult, ids: NewIds): BuildResult {
  const pick = <T extends BasePick | CarriedPick>(one: T): T => ({ ...one, buildId: ids.build(one.buildId) });
  return {
    ...result,
    base: result.base && pick(result.base),
    ...(result.excludedBase && { excludedBase: pick(result.excludedBase) }),
    carried: result.carried.map(pick),
    flags: result.flags.map((flag) => (flag.carried ? { ...flag, carried: pick(flag.carried) } : flag)),
    countedJobs: result.countedJobs.map(ids.job),
  };
}

function renumberMissing(missing: string, ids: NewIds): string {
  const id = missing.startsWith(BUILD) ? Number(missing.slice(BUILD.length)) : undefined;
  return id === undefined ? missing : `${BUILD}${ids.build(id)}`;
}
