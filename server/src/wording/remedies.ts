import { type BuildCheck, checksOf, type Judged } from '../core/builds/build-checks.ts';
import { type Check, passes, remedyOf } from '../core/verdict/checks.ts';
import { type Remedy, reasonOf } from '../core/verdict/reason.ts';
import { explainedBy, type RemedyWords, remedyWords } from './page-verdict.ts';

/** What would make one check pass. */
export interface NamedRemedy {
  readonly check: BuildCheck;
  readonly remedy: Remedy;
  readonly sentence: string;
}

/** What would make a result pass: each check of it that covering more helps. */
export function listRemedies(result: Judged): readonly NamedRemedy[] {
  return checksOf(result).flatMap((check) => {
    const remedy = remedyOf(check);
    const words = checkRemedy(check, result);
    return remedy && words ? [{ check, remedy, sentence: words.what + words.rest }] : [];
  });
}

/** What to cover so that a check passes; undefined if it passes, or covering more does not help. */
export function checkRemedy(check: Check, { patch }: Pick<Judged, 'patch'>): RemedyWords | undefined {
  const remedy = remedyOf(check);
  if (remedy === undefined || passes(check)) return undefined;
  const { changed: ofCause, split } = explainedBy(check.cause) ?? {};
  // The changed lines of the build are not those of one flag or group.
  const isOfBuild = check.kind === 'total' || check.kind === 'changes';
  const reason = reasonOf(check.verdict);
  const changed =
    reason.kind === 'patch' ? reason.totals : ((isOfBuild ? patch?.totals : undefined) ?? ofCause ?? split?.changed);
  return remedyWords(remedy, { changed, informational: check.verdict.informational === true });
}
