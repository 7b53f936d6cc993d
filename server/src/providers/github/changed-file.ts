import type { ChangedFile } from '../../ports/provider-facts.ts';
import { fieldsOf, textOf } from './answers.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { OPERATIONS } from './operations.ts';

/** GitHub's words; it also knows `changed` (a file's mode) and `unchanged`. */
const STATUSES: ReadonlyMap<unknown, ChangedFile['status']> = new Map([
  ['added', 'added'],
  ['removed', 'removed'],
  ['modified', 'modified'],
  ['renamed', 'renamed'],
  ['copied', 'copied'],
  ['changed', 'modified'],
  ['unchanged', 'modified'],
]);

/** A file of a comparison or a pull request. */
export function toChangedFile(answer: unknown): ChangedFile {
  const file = fieldsOf(answer);
  const name = textOf(file.filename);
  const status = STATUSES.get(file.status);
  if (name === undefined || status === undefined) throw unexpectedAnswer(OPERATIONS.compare);
  // A file that was only renamed has no patch because there is nothing in it, not because it is withheld.
  const isMereRename = status === 'renamed' && file.changes === 0;
  return {
    name,
    previousName: textOf(file.previous_filename),
    status,
    patch: textOf(file.patch) ?? (isMereRename ? '' : undefined),
  };
}
