import { HISTORY_SOURCES, type Imported, percentOfBuild } from '../core/builds/imported.ts';
import { compareRatios, exactDecimal, showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { counted } from './phrases.ts';

const DETAIL: Readonly<Record<Imported['detail'], string>> = {
  lines: '',
  counts: ' Its lines were not imported: a build that is compared with it shows no lost lines.',
  percentage: ' Only its percentage is known: nothing is compared with it.',
};

/** In place of a verdict: nobody judged it here. */
export function importedSentence({ from, detail }: Imported): string {
  return `Imported from ${HISTORY_SOURCES[from]}.${DETAIL[detail]}`;
}

/** What was shown there beside our number, and why they differ; undefined if there is nothing to say. */
export function shownThere(imported: Imported, totals: CoverageTotals): string | undefined {
  const { from, shown, partialLines = 0, detail } = imported;
  const [own, theirs] = [totalPercent(totals), shown === undefined ? undefined : exactDecimal(shown)];
  if (own === undefined || theirs === undefined) return undefined;
  const name = HISTORY_SOURCES[from];
  const [here, there] = [showPercent(own), showPercent(percentOfBuild(undefined, imported))];
  if (compareRatios(own, theirs) === 0 || here === there) return `${name} showed the same, ${there}.`;
  const partial = detail === 'lines' ? 'a covered line with one of two branches covered' : 'a covered line';
  const because =
    partialLines === 0
      ? 'The two count lines and branches differently.'
      : `${name} counts ${counted(partialLines, 'partly covered line')} as missed; here each is ${partial}.`;
  return `${name} showed ${there}; counted here it is ${here}. ${because}`;
}
