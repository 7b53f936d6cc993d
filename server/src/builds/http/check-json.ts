import { checksOf, type Judged, overallOf } from '../../core/builds/build-checks.ts';
import type { BuildSummary } from '../../core/builds/build-summary.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import { type Check, type CheckList, isRequired, remedyOf, sizeOf, sortChecks } from '../../core/verdict/checks.ts';
import type { FlagVerdict } from '../../core/verdict/verdict.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { refOf } from '../../wording/build-name.ts';
import { overallPhrase, phraseText, WAITING } from '../../wording/check-words.ts';
import { checkRemedy } from '../../wording/remedies.ts';
import { explainVerdict } from '../../wording/verdict-words.ts';
import { percentJson, ratioJson } from './percentages.ts';

/** `checks` of a build and of a preview. */
export function checksJson(result: Judged): readonly Answer<'check'>[] {
  return sortChecks(checksOf(result)).map((check) => checkJson(check, result));
}

function checkJson(check: Check, result: Pick<Judged, 'patch'>): Answer<'check'> {
  const { id, kind, name = null, verdict, totals, baseTotals, cause } = check;
  return {
    id,
    kind,
    name,
    ...partVerdictJson(verdict, cause),
    required: isRequired(check),
    covered_percent: percentJson(totals),
    // Rule 13: never a drop where something did not report.
    coverage_change: verdict.state === 'incomplete' ? null : ratioJson(changeOf(totals, baseTotals)),
    remedy: remedyJson(check, result),
  };
}

function remedyJson(check: Check, result: Pick<Judged, 'patch'>): Answer<'check'>['remedy'] {
  const remedy = remedyOf(check);
  const words = checkRemedy(check, result);
  return remedy && words ? { count: remedy.count, unit: remedy.of, sentence: words.what + words.rest } : null;
}

/** The verdict on the total, on the changed lines or on a flag. */
export function partVerdictJson(verdict: FlagVerdict, cause?: Check['cause']): Answer<'partVerdict'> {
  const { state, rule, informational, accepted } = verdict;
  return {
    state,
    rule,
    explanation: explainVerdict(verdict, cause),
    ...(informational === true ? { informational } : {}),
    ...(accepted === true ? { accepted } : {}),
  };
}

const NONE: CheckList = { ids: [], counts: {} };

/** `overall` of a build, which is pending before its first close. */
export function overallJson({ result }: { readonly result: BuildSummary['result'] }): Answer<'overall'> {
  const { state, failing, wouldFail, passing, accepted } =
    result === undefined
      ? ({ state: 'pending', failing: NONE, wouldFail: NONE, passing: NONE, accepted: undefined } as const)
      : overallOf(result);
  const base = result?.base === undefined ? 'the base' : refOf(result.base);
  return {
    state,
    sentence: result === undefined ? WAITING : phraseText(overallPhrase(result, base)),
    failing: failing.ids,
    failing_count: sizeOf(failing),
    would_fail: wouldFail.ids,
    would_fail_count: sizeOf(wouldFail),
    passing_count: sizeOf(passing),
    ...(accepted && { accepted }),
  };
}
