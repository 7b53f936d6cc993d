import type { BuildResult, CloseWarning } from '../core/builds/build.ts';
import { HISTORY_SOURCES } from '../core/builds/imported.ts';
import { showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { counted } from './phrases.ts';
import { describeUnmet } from './upload-warnings.ts';

/** The warnings of a close as sentences; results of earlier versions hold these themselves. */
export function describeCloseWarnings({ warnings }: Pick<BuildResult, 'warnings'>): readonly string[] {
  return warnings.flatMap((warning) => (typeof warning === 'string' ? [warning] : describeWarning(warning)));
}

function describeWarning(warning: CloseWarning): readonly string[] {
  switch (warning.kind) {
    case 'flags-not-found':
      return [
        ...warning.flags.map((flag) => `Flag ${flag} should have been carried forward, but it has no stored report.`),
        ...(warning.more > 0 ? [`The same is true of ${counted(warning.more, 'more flag')}.`] : []),
      ];
    case 'carried-files-changed':
      return [
        `${counted(warning.files, 'file')} of carried flags changed since` +
          (warning.leftOut
            ? `, or may have, and ${warning.files === 1 ? 'is' : 'are'} left out: where the lines are now is not known.`
            : "; only lines that this build's own jobs call relevant count there."),
      ];
    case 'texts-differ':
      return [
        `${counted(warning.files, 'file')} had different texts in different jobs (source_digest differs); ` +
          'their lines were merged by number.',
      ];
    case 'base-counted-anew':
      return [
        '`ignore` or `paths` of the repo’s file changed since the base, so the base is counted again with the new ' +
          'patterns: ' +
          `${showTotal(warning.counted)} instead of ${showTotal(warning.stored)}.`,
      ];
    case 'base-without-lines':
      return [
        `The base was imported from ${HISTORY_SOURCES[warning.from]} as a number without lines, ` +
          'so the lines that moved the total are unknown.',
      ];
    case 'nothing-relevant':
      return ['None of the jobs reported a relevant line.'];
    case 'comparison-unmet':
      return [describeUnmet(warning)];
    case 'cannot-merge':
      return [
        'Its reports cannot be merged as they are. Upload less in one build, or let an administrator raise the limit ' +
          'that the verdict names; then `rerun_build` recalculates it.' +
          (warning.keepsNumbers ? ' The numbers shown are from the previous close.' : ''),
      ];
    case 'access-denied':
      return [`${warning.refusal} Anything that only the git host knows stays open until it answers.`];
  }
}

function showTotal(totals: CoverageTotals): string {
  const percent = totalPercent(totals);
  return percent === undefined ? 'no relevant lines' : showPercent(percent);
}
