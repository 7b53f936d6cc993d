import { createHash } from 'node:crypto';
import type { Annotation } from '../../domain/announce/delivery.ts';
import { ANNOTATION_LIMIT, type CheckRunCall, type CheckRuns } from '../../ports/check-runs.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { checkCommitSha, splitRepoName } from './addresses.ts';
import { fieldsOf, idOf } from './answers.ts';
import type { GithubCall, GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { definiteAnswer } from './definite-answer.ts';
import { OPERATIONS } from './operations.ts';

/** Check runs at GitHub, which only an App may make. One request each. */
export function createCheckRuns(calls: GithubCalls): CheckRuns {
  return {
    createCheckRun: (wanted) =>
      calls(async ({ client, ask }) => {
        const fields = toFields(wanted);
        const { data } = await client.rest.checks.create({
          ...splitRepoName(wanted.repo),
          head_sha: checkCommitSha(wanted.commit),
          ...fields,
          output: { ...fields.output, annotations: toAnnotations(wanted) },
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
    findCheckRun: (wanted) => definiteAnswer(calls((call) => findCheckRun(call, wanted))),
  };
}

/** Of each App the newest of the name; another App cannot have our digest by chance. */
async function findCheckRun({ client, ask }: GithubCall, wanted: CheckRunCall): Promise<number | undefined> {
  const { data } = await client.rest.checks.listForRef({
    ...splitRepoName(wanted.repo),
    ref: checkCommitSha(wanted.commit),
    check_name: wanted.name,
    filter: 'latest',
    per_page: 100,
    request: ask(OPERATIONS.findCheckRun),
  });
  const runs: unknown = fieldsOf(data).check_runs;
  if (!Array.isArray(runs)) throw unexpectedAnswer(OPERATIONS.findCheckRun);
  const digest = digestOf(wanted);
  return idOf(runs.map(fieldsOf).find((run) => run.external_id === digest)?.id);
}

function toFields(wanted: CheckRunCall) {
  const { name, detailsUrl, conclusion, title, summary } = wanted;
  return {
    name,
    details_url: detailsUrl,
    external_id: digestOf(wanted),
    status: 'completed' as const,
    conclusion,
    output: { title, summary },
  };
}

/** By which a check run is known again that says exactly this. */
function digestOf({ name, detailsUrl, conclusion, title, summary, annotations }: CheckRunCall): string {
  const marks = annotations.map(({ file, firstLine, lastLine, level, message }) => [
    file,
    firstLine,
    lastLine,
    level,
    message,
  ]);
  const said = JSON.stringify([name, detailsUrl, conclusion, title, summary, marks]);
  return createHash('sha256').update(said).digest('hex');
}

function toAnnotations({ annotations }: CheckRunCall) {
  if (annotations.length > ANNOTATION_LIMIT) {
    const sentence = `GitHub takes at most ${ANNOTATION_LIMIT} annotations at once, not ${annotations.length}.`;
    throw new ProviderFailure('permanent', sentence);
  }
  return annotations.map(toGithubAnnotation);
}

function toGithubAnnotation({ file, firstLine, lastLine, level, message }: Annotation) {
  return { path: file, start_line: firstLine, end_line: lastLine, annotation_level: level, message };
}
