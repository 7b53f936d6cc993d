import type { JobPayload, PreviewJson, PreviewQuestion, SourceFile } from '@coverage/shared';
import { withoutEndSlashes } from './coverage-client.ts';
import { compress, jobText } from './encode-job.ts';
import { answerFailure, refusal } from './refusals.ts';
import type { RetryingFetch } from './retrying-fetch.ts';
import { parsedObject } from './stated-message.ts';

/** Which server, as whom, and about which repo. */
export interface PreviewServer {
  readonly endpoint: string;
  readonly token: string;
  /** `<service>/<owner>/<name>`; undefined: the one of the repo token. */
  readonly repo: string | undefined;
}

/** One job of a preview. */
export interface PreviewJob {
  readonly flag: string | undefined;
  readonly files: readonly SourceFile[];
  readonly leftOut: JobPayload['left_out'];
}

/** Asks which verdict a pull request will get. Throws the failures of an upload. */
export type AskPreview = (question: PreviewQuestion, jobs: readonly PreviewJob[]) => Promise<PreviewJson>;

export function createAskPreview(send: RetryingFetch, { endpoint, token, repo }: PreviewServer): AskPreview {
  const url = new URL(`${withoutEndSlashes(endpoint)}/api/v1/preview`);
  if (repo !== undefined) url.searchParams.set('repo', repo);
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
  };
  return async (question, jobs) => {
    const body = await compress(previewText(question, jobs));
    const answer = await send({ url, shownUrl: url.href, method: 'POST', headers, body });
    if (answer.status !== 200) throw refusal(answer, url.href);
    const preview = parsedObject(answer.text) as PreviewJson | undefined;
    if (preview?.verdict === undefined) throw answerFailure(answer, url.href);
    return preview;
  };
}

function* previewText(question: PreviewQuestion, jobs: readonly PreviewJob[]): Generator<string> {
  yield JSON.stringify(question);
  for (const { flag, files, leftOut } of jobs) {
    yield '\n';
    yield* jobText({ parallel: true, flag_name: flag, left_out: leftOut }, files);
  }
}
