import { isAccepted } from '../core/builds/acceptance.ts';
import type { BuildResult } from '../core/builds/build.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { type Remedy, reasonOf } from '../core/verdict/reason.ts';
import { explainedBy, remedyWords } from './page-verdict.ts';

/** What would make one part of a build pass. */
export interface NamedRemedy {
  /** `build`, `patch`, or `flag:<name>`. */
  readonly of: string;
  readonly remedy: Remedy;
  readonly sentence: string;
}

/** What would make a result pass: of the build, of its changed lines, and of its flags. */
export function listRemedies({ verdict, cause, patch, flags }: BuildResult): readonly NamedRemedy[] {
  const changed = patch?.totals;
  const ofBuild = isAccepted(verdict) ? undefined : explainedBy(cause);
  const patchReason = patch?.verdict && !isAccepted(patch.verdict) ? reasonOf(patch.verdict) : undefined;
  return [
    ...named('build', ofBuild?.remedy, changed ?? ofBuild?.split?.changed, verdict.informational),
    ...named('patch', patchReason?.kind === 'patch' ? patchReason.remedy : undefined, changed),
    ...flags.flatMap((flag) => {
      const explained = isAccepted(flag.verdict) ? undefined : explainedBy(flag.cause);
      return named(`flag:${flag.name}`, explained?.remedy, explained?.split?.changed, flag.verdict.informational);
    }),
  ];
}

function named(
  of: string,
  remedy: Remedy | undefined,
  changed: CoverageTotals | undefined,
  informational = false,
): readonly NamedRemedy[] {
  if (remedy === undefined) return [];
  const { what, rest } = remedyWords(remedy, { changed, informational });
  return [{ of, remedy, sentence: what + rest }];
}
