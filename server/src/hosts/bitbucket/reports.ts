import type { CheckRuns } from '../../ports/provider.ts';
import { createReports, SEVERITIES } from '../rest/code-insights.ts';
import { OPERATIONS } from './operations.ts';
import { type Bitbucket, inRepo } from './questions.ts';

/** Code Insights of a commit. */
export function createCodeInsights(bitbucket: Bitbucket): CheckRuns {
  return createReports({
    operation: OPERATIONS.setReport,
    inRepo: (repo, run) => inRepo(bitbucket, repo, run),
    placeOf: (path, commit) => `${path}/commit/${commit}/reports`,
    more: { report_type: 'COVERAGE', reporter: 'coverage' },
    annotationsOf: (annotations) =>
      annotations.map(({ file, firstLine, level, message }, index) => ({
        external_id: String(index + 1),
        annotation_type: 'CODE_SMELL',
        severity: SEVERITIES[level],
        path: file,
        line: firstLine,
        summary: message.slice(0, 450).toWellFormed(),
      })),
  });
}
