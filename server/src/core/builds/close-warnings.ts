import { totalPercent } from '../coverage/percent.ts';
import { equalTotals } from '../coverage/totals.ts';
import type { Build, CloseWarning, UnmetComparison } from './build.ts';
import type { ComposedReport } from './build-report.ts';

const MAX_NOT_FOUND = 20;

/** What a close itself warns of. */
export function closeWarnings(close: {
  readonly composed: Pick<ComposedReport, 'totals' | 'baseTotals' | 'leftOutFiles' | 'digestConflicts'>;
  /** How many jobs count. */
  readonly jobs: number;
  readonly notFound: readonly string[];
  readonly unmet: readonly UnmetComparison[];
  readonly base?: { readonly build: Pick<Build, 'imported' | 'result'> } | undefined;
  /** Why the provider denied access, a sentence. */
  readonly refusal?: string | undefined;
}): readonly CloseWarning[] {
  const { composed, jobs, notFound, unmet, base, refusal } = close;
  const { totals, leftOutFiles, digestConflicts } = composed;
  const warnings: CloseWarning[] = [];
  if (notFound.length > 0) {
    const flags = notFound.slice(0, MAX_NOT_FOUND);
    warnings.push({ kind: 'flags-not-found', flags, more: notFound.length - flags.length });
  }
  if (leftOutFiles > 0) warnings.push({ kind: 'carried-files-changed', files: leftOutFiles, leftOut: true });
  if (digestConflicts > 0) warnings.push({ kind: 'texts-differ', files: digestConflicts });
  if (totalPercent(totals) === undefined && jobs > 0) warnings.push({ kind: 'nothing-relevant' });
  const stored = base?.build.result?.totals;
  const { baseTotals: counted } = composed;
  if (stored && counted && !equalTotals(stored, counted)) warnings.push({ kind: 'base-counted-anew', stored, counted });
  const imported = base?.build.imported;
  if (imported !== undefined && imported.detail !== 'lines')
    warnings.push({ kind: 'base-without-lines', from: imported.from });
  for (const comparison of unmet) warnings.push({ kind: 'comparison-unmet', ...comparison });
  if (refusal !== undefined) warnings.push({ kind: 'access-denied', refusal });
  return warnings;
}
