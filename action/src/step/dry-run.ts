import type { ClosePayload, JobPayload } from '@coverage/shared';
import type { FileHits } from '../formats/file-hits.ts';
import type { Log } from '../runner/log.ts';
import { byteText, counted } from '../runner/words.ts';

interface Covered {
  readonly covered: number;
  readonly all: number;
}

const MAX_FILES = 200;

/** What would be sent, in the log. */
export function tellJob(
  log: Log,
  job: { readonly envelope: Omit<JobPayload, 'source_files'>; readonly files: readonly FileHits[]; bytes: number },
  url: string,
): void {
  const { envelope, files, bytes } = job;
  const { repo_token: token, diff, ...fields } = envelope;
  log.info(
    `Dry run. This would be uploaded to ${url}, ${withToken(token !== undefined)}: ` +
      `${counted(files.length, 'file')}, ${byteText(bytes)}`,
  );
  tellFields(log, {
    ...fields,
    ...(diff && { diff: `line numbers of ${counted(diff.files.length, 'changed file')}` }),
  });
  for (const file of files.slice(0, MAX_FILES))
    log.info(fileHits(file.name, { lines: file.countLines(), branches: file.countBranches() }));
  if (files.length > MAX_FILES) log.info(`  and ${counted(files.length - MAX_FILES, 'more file')}`);
}

/** The same of a close. */
export function tellClose(log: Log, { repo_token: token, ...fields }: ClosePayload, url: string): void {
  log.info(`Dry run. This would be sent to ${url} to close the build, ${withToken(token !== undefined)}:`);
  tellFields(log, fields);
}

function tellFields(log: Log, fields: object): void {
  for (const [name, value] of Object.entries(fields))
    log.info(`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function fileHits(name: string, { lines, branches }: Record<'lines' | 'branches', Covered>): string {
  const ofBranches =
    branches.all === 0 ? '' : `, ${branches.covered} of ${counted(branches.all, 'branch', 'branches')}`;
  return `  ${name}: ${lines.covered} of ${counted(lines.all, 'line')}${ofBranches}`;
}

function withToken(isSigned: boolean): string {
  return isSigned ? 'with the token at hand' : 'with an ID token, or with none';
}
