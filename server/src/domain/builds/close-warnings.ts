import { totalPercent } from '../coverage/percent.ts';
import type { ComposedReport } from './build-report.ts';

const MAX_NOT_FOUND = 20;

/**
 * What a close itself warns of, in sentences: flags that were not found, carried files that changed, texts that differ,
 * no relevant line, a git host that is closed to us.
 */
export function closeWarnings(close: {
  readonly composed: Pick<ComposedReport, 'totals' | 'restrictedFiles' | 'digestConflicts'>;
  /** How many jobs count. */
  readonly jobs: number;
  readonly notFound: readonly string[];
  /** Why the provider let nobody in for us, a sentence. */
  readonly refusal?: string | undefined;
}): readonly string[] {
  const { composed, jobs, notFound, refusal } = close;
  const sentences = notFound
    .slice(0, MAX_NOT_FOUND)
    .map((flag) => `Flag ${flag} was to be carried forward, but no stored report of it was found.`);
  if (notFound.length > MAX_NOT_FOUND)
    sentences.push(`${notFound.length - MAX_NOT_FOUND} more flags to be carried forward were not found.`);
  if (composed.restrictedFiles > 0) {
    sentences.push(
      `${countFiles(composed.restrictedFiles)} of carried flags changed since; only lines that this build's own ` +
        'jobs call relevant count there.',
    );
  }
  if (composed.digestConflicts > 0) {
    sentences.push(
      `${countFiles(composed.digestConflicts)} had different texts in different jobs (source_digest differs); ` +
        'their lines were merged by number.',
    );
  }
  if (totalPercent(composed.totals) === undefined && jobs > 0)
    sentences.push('None of the jobs reported a relevant line.');
  if (refusal !== undefined) sentences.push(`${refusal} What only the git host knows is left open until it answers.`);
  return sentences;
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
