import type { CheckRuns } from '../../ports/provider.ts';
import { createReports, SEVERITIES } from '../rest/code-insights.ts';
import { OPERATIONS } from './operations.ts';
import { API, type DataCenter, inRepo } from './questions.ts';

/** Code Insights of a commit; only those on changed lines are shown. */
export function createCodeInsights(center: DataCenter): CheckRuns {
  return createReports({
    operation: OPERATIONS.setReport,
    inRepo: (repo, run) => inRepo(center, repo, run),
    placeOf: (path, commit) => `/insights/latest${path.slice(API.length)}/commits/${commit}/reports`,
    more: { data: [], reporter: 'coverage' },
    annotationsOf: (annotations) => ({
      annotations: annotations.map(({ file, firstLine, level, message }, index) => ({
        externalId: String(index + 1),
        type: 'CODE_SMELL',
        severity: SEVERITIES[level],
        path: file,
        line: firstLine,
        message: message.slice(0, 2_000).toWellFormed(),
      })),
    }),
  });
}
