import { readCoverageFile } from '@coverage/shared/coverage-file';
import { textLines } from '../closing/read-rules.ts';
import type { RuleValue } from '../core/builds/judged-rules.ts';
import { listRules } from '../core/builds/list-rules.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import type { ShownFile } from './show-rules.ts';

/** A file that nobody has committed yet. */
export interface CheckedFile extends ShownFile {
  /** As it was sent. */
  readonly text: string;
  /** What would be in force with it, in a repo with these settings; undefined: it has errors. */
  readonly values: readonly RuleValue[] | undefined;
}

/** What a file would mean to a repo, or what is wrong with it. Nothing is stored. */
export function checkFile(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  repo: Repo,
  text: string,
): CheckedFile {
  const read = readCoverageFile(Buffer.from(text));
  const of = { path: 'The file that you sent', commit: undefined, lines: textLines(text), text };
  if ('problems' in read) return { ...of, problems: read.problems, values: undefined };
  const { settings } = repo;
  const sources = { settings, file: read.file, floors: config.floors, at: clock.now(), branch: undefined };
  return { ...of, problems: [], values: listRules(sources, read.lines) };
}
