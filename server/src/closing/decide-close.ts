import type { BuildResult } from '../core/builds/build.ts';
import { type AfterClose, closeReason } from '../core/builds/close-due.ts';
import { concludeBuild } from '../core/builds/conclude-build.ts';
import { concludeRefused } from '../core/builds/conclude-refused.ts';
import {
  changesAsBase,
  isDecidedByChanges,
  markProvisional,
  planProvisional,
  planUnknownChanges,
} from '../core/builds/provisional.ts';
import type { Timestamp } from '../core/time.ts';
import { type AnnouncementPlan, planClose } from '../wording/plan.ts';
import type { GatheredClose } from './gather-close.ts';
import type { MergedBuild, RefusedMerge } from './merge-build.ts';

/** What a close writes, beside the merged report. */
export interface DecidedClose extends AnnouncementPlan {
  readonly result: BuildResult;
  readonly after: AfterClose;
}

/** The result of a close and its messages. Pure: everything was gathered before. */
export function decideClose(gathered: GatheredClose, at: Timestamp): DecidedClose {
  const { build, choice, announcing, refusal, merged } = gathered;
  if ('obstacle' in merged) return decideRefused(gathered, merged, at);
  const result = decideResult({ ...gathered, merged }, at);
  const { holdBack, revisitAt } = planProvisional(result, at, refusal !== undefined);
  return {
    result,
    ...planClose(build, result, { ...announcing, holdBack }),
    after: {
      revisitAt: revisitAt ?? planUnknownChanges(result.changesUnknownSince, at),
      missingBases: choice.missingBases.length === 0 ? undefined : choice.missingBases,
      backfill: changesAsBase(build, result),
    },
  };
}

/** Nothing is to be done later: no further try can succeed. */
function decideRefused({ build, announcing }: GatheredClose, { obstacle }: RefusedMerge, at: Timestamp): DecidedClose {
  const result = concludeRefused({ build, obstacle, closedBy: closeReason(build, at) ?? 'job', at });
  const after = { backfill: changesAsBase(build, result) };
  return { result, ...planClose(build, result, announcing), after };
}

function decideResult(gathered: GatheredClose & { readonly merged: MergedBuild }, at: Timestamp): BuildResult {
  const { repo, build, jobs, choice, flagBases, merged, recent, baseUncertain, refusal, rules } = gathered;
  const { report: _, unavailable, mayChangeRules: __, ...findings } = merged;
  const concluded = concludeBuild({
    ...findings,
    build,
    settings: repo.settings,
    rules,
    closedBy: closeReason(build, at) ?? 'job',
    at,
    jobs,
    base: choice.base,
    flagBases,
    excludedBase: choice.excluded,
    unmet: choice.unmet,
    recent,
    refusal,
  });
  const changesDecide = unavailable.changes && isDecidedByChanges(repo.settings, jobs.length);
  const isProvisional = baseUncertain || changesDecide || unavailable.carried;
  const result = isProvisional ? markProvisional(concluded, build.result, at) : concluded;
  return unavailable.changes || unavailable.annotations
    ? { ...result, changesUnknownSince: build.result?.changesUnknownSince ?? at }
    : result;
}
