import { createHash } from 'node:crypto';
import type { Annotation } from '../../core/announce/delivery.ts';
import { ANNOTATION_LIMIT, type CheckRunCall, type CheckRuns, ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf, idOf } from '../answers.ts';
import { checkCommitSha, splitRepoName } from './addresses.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { askOnce, definiteAnswer, request, updatedOrGone } from './requests.ts';

/** Check runs at GitHub, which only an App may make. One request each. */
export function createCheckRuns(callsOf: CallsOf): CheckRuns {
  return {
    createCheckRun: (wanted) =>
      askOnce(callsOf(wanted.repo), OPERATIONS.createCheckRun, {
        send: (rest, options) => {
          const { output, ...fields } = toFields(wanted);
          return rest.checks.create({
            ...splitRepoName(wanted.repo),
            head_sha: checkCommitSha(wanted.commit),
            ...fields,
            output: { ...output, annotations: toAnnotations(wanted) },
            request: options,
          });
        },
        read: ({ id }) => idOf(id),
      }),
    updateCheckRun: (wanted) =>
      updatedOrGone(
        askOnce(callsOf(wanted.repo), OPERATIONS.updateCheckRun, {
          send: (rest, options) => {
            const place = { ...splitRepoName(wanted.repo), check_run_id: Number(wanted.checkRunId) };
            return rest.checks.update({ ...place, ...toFields(wanted), request: options });
          },
          read: ({ id }) => (id === Number(wanted.checkRunId) ? id : undefined),
        }),
      ),
    findCheckRun: (wanted) => definiteAnswer(callsOf(wanted.repo)((call) => findCheckRun(call, wanted))),
  };
}

/** For each App the newest of the name; another App cannot have our digest by chance. */
async function findCheckRun(call: GithubCall, wanted: CheckRunCall): Promise<number | undefined> {
  const asked = {
    ref: checkCommitSha(wanted.commit),
    check_name: wanted.name,
    filter: 'latest',
    per_page: 100,
  } as const;
  const runs = await request<readonly unknown[]>(call, OPERATIONS.findCheckRun, {
    send: (rest, options) => rest.checks.listForRef({ ...splitRepoName(wanted.repo), ...asked, request: options }),
    read: ({ check_runs: listed }) => (Array.isArray(listed) ? listed : undefined),
  });
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
    const sentence = say.tooManyAnnotations(ANNOTATION_LIMIT, annotations.length);
    throw new ProviderFailure('permanent', sentence);
  }
  return annotations.map(toGithubAnnotation);
}

function toGithubAnnotation({ file, firstLine, lastLine, level, message }: Annotation) {
  return { path: file, start_line: firstLine, end_line: lastLine, annotation_level: level, message };
}
