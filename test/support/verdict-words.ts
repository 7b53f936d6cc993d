import type { ChangeCause, FlagVerdict } from '../../server/src/core/verdict/verdict.ts';
import { describeCause } from '../../server/src/wording/change-words.ts';
import { explainVerdict, hasBrief, summarize } from '../../server/src/wording/verdict-words.ts';

/** A verdict as it is shown: its data in words. */
export function inWords(verdict: FlagVerdict, cause?: ChangeCause) {
  const { state, rule, informational } = verdict;
  return {
    state,
    rule,
    explanation: explainVerdict(verdict, cause),
    summary: summarize(verdict),
    brief: hasBrief(verdict) ? summarize(verdict, { brief: true }) : undefined,
    informational,
    ...('provisional' in verdict ? { provisional: verdict.provisional } : {}),
  };
}

/** A judged change as it is shown. */
export function judgedInWords<J extends { readonly verdict: FlagVerdict; readonly cause?: ChangeCause | undefined }>(
  judged: J | undefined,
) {
  if (judged === undefined) throw new Error('nothing was judged');
  const { verdict, cause } = judged;
  return { verdict: inWords(verdict, cause), cause: cause && describeCause(cause, verdict) };
}
