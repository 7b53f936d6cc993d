import { ANNOTATION_LIMIT, type Annotation, type CheckRunCall, type CheckRuns } from '../../ports/check-runs.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { checkCommitSha, splitRepoName } from './addresses.ts';
import { fieldsOf, idOf } from './answers.ts';
import type { GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { OPERATIONS } from './operations.ts';

/** Check runs at GitHub, which only an App may make. One request each. */
export function createCheckRuns(calls: GithubCalls): CheckRuns {
  return {
    createCheckRun: (wanted) =>
      calls(async ({ client, ask }) => {
        const { data } = await client.rest.checks.create({
          ...splitRepoName(wanted.repo),
          head_sha: checkCommitSha(wanted.commit),
          ...toFields(wanted),
          request: ask(OPERATIONS.createCheckRun),
        });
        const id = idOf(fieldsOf(data).id);
        if (id === undefined) throw unexpectedAnswer(OPERATIONS.createCheckRun);
        return id;
      }),
    updateCheckRun: async (wanted) => {
      try {
        return await calls(async ({ client, ask }) => {
          const { data } = await client.rest.checks.update({
            ...splitRepoName(wanted.repo),
            check_run_id: wanted.checkRunId,
            ...toFields(wanted),
            request: ask(OPERATIONS.updateCheckRun),
          });
          if (idOf(fieldsOf(data).id) !== wanted.checkRunId) throw unexpectedAnswer(OPERATIONS.updateCheckRun);
          return 'updated' as const;
        });
      } catch (error) {
        if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
        throw error;
      }
    },
  };
}

function toFields({ name, detailsUrl, conclusion, title, summary, annotations }: CheckRunCall) {
  if (annotations.length > ANNOTATION_LIMIT) {
    const sentence = `GitHub takes at most ${ANNOTATION_LIMIT} annotations at once, not ${annotations.length}.`;
    throw new ProviderFailure('permanent', sentence);
  }
  return {
    name,
    details_url: detailsUrl,
    ...(conclusion === undefined ? { status: 'in_progress' as const } : { status: 'completed' as const, conclusion }),
    output: { title, summary, annotations: annotations.map(toGithubAnnotation) },
  };
}

function toGithubAnnotation({ file, firstLine, lastLine, level, message }: Annotation) {
  return { path: file, start_line: firstLine, end_line: lastLine, annotation_level: level, message };
}
