import type { ClosePayload, JobPayload } from '@coverage/shared';
import type { FileHits } from '../formats/file-hits.ts';
import * as say from '../messages/dry-run.ts';
import type { Log } from '../runner/log.ts';

const MOST_FILES = 200;

/** What would be sent, in the log. */
export function tellJob(
  log: Log,
  job: { readonly envelope: Omit<JobPayload, 'source_files'>; readonly files: readonly FileHits[]; bytes: number },
  url: string,
): void {
  const { envelope, files, bytes } = job;
  const { repo_token: token, diff, ...fields } = envelope;
  log.info(say.wouldUpload(url, { files: files.length, bytes, isSigned: token !== undefined }));
  tellFields(log, { ...fields, ...(diff && { diff: say.diffOf(diff.files.length) }) });
  for (const file of files.slice(0, MOST_FILES))
    log.info(say.fileHits(file.name, { lines: file.countLines(), branches: file.countBranches() }));
  if (files.length > MOST_FILES) log.info(say.moreFiles(files.length - MOST_FILES));
}

/** The same of a close. */
export function tellClose(log: Log, { repo_token: token, ...fields }: ClosePayload, url: string): void {
  log.info(say.wouldClose(url, token !== undefined));
  tellFields(log, fields);
}

function tellFields(log: Log, fields: object): void {
  for (const [name, value] of Object.entries(fields))
    log.info(`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}
