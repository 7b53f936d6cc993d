import type { RepoRules } from '../repo/repo-rules.ts';
import { isRequired, passes } from '../verdict/checks.ts';
import type { Ratchet } from '../verdict/findings.ts';
import { reasonOf } from '../verdict/reason.ts';
import type { FlagVerdict, Verdict } from '../verdict/verdict.ts';
import type { GroupResult } from './group-result.ts';
import type { JudgedRules } from './judged-rules.ts';

/** By what a close judges, and where that comes from. */
export interface CloseRules {
  readonly rules: RepoRules;
  readonly judged: JudgedRules;
  /** Absent if the repo has none, or no total stood long enough. */
  readonly ratchet?: Ratchet | undefined;
  /** What the change would make of them; absent if it changes nothing, or breaks the file. */
  readonly proposed?: RepoRules | undefined;
}

/**
 * The verdict that the build's own commit status shows: a change that breaks the repo's file fails it; else it is the
 * total's; where that passes, that of what has no status of its own, the first that fails.
 */
export function composeVerdict(found: {
  readonly total: Verdict;
  readonly groups: readonly GroupResult[] | undefined;
  readonly elsewhere: FlagVerdict | undefined;
  readonly rules: CloseRules | undefined;
}): Verdict {
  const { total, groups = [], elsewhere, rules } = found;
  const broken = rules?.judged.proposal?.broken;
  const { provisional } = total;
  if (broken !== undefined) {
    const { path, problems, line, column, message } = broken;
    const reason = { kind: 'invalid-file', path, problems, line, column, message } as const;
    return { state: 'failure', rule: 'invalid-file', reason, provisional };
  }
  if (!passes({ verdict: total }) && total.informational !== true) return total;
  if (elsewhere && fails(elsewhere))
    return { state: 'failure', rule: 'elsewhere', reason: reasonOf(elsewhere), provisional };
  const own = groups.filter(({ hasStatus }) => !hasStatus);
  const failing = own.filter(({ verdict }) => verdict && fails(verdict));
  const [first] = failing;
  if (first?.verdict === undefined) return holdsOpen([elsewhere, ...own.map((group) => group.verdict)], total);
  const reason = { kind: 'group', group: first.name, of: reasonOf(first.verdict), more: failing.length - 1 } as const;
  return { state: 'failure', rule: 'group', reason, provisional };
}

/** Required, where the total only informs, its build is incomplete, and a part that is required waits for that. */
function holdsOpen(parts: readonly (FlagVerdict | undefined)[], total: Verdict): Verdict {
  if (total.state !== 'incomplete' || total.informational !== true) return total;
  const { informational: _, ...required } = total;
  return parts.some((verdict) => verdict?.state === 'incomplete' && isRequired({ verdict })) ? required : total;
}

function fails(verdict: FlagVerdict): boolean {
  return verdict.state === 'failure' && isRequired({ verdict });
}
