// What is said of the reports that were searched, and of the files that they name.
import type { LeftOut } from '@coverage/shared';
import { counted } from './counted.ts';

const MOST_FILES_SHOWN = 5;

/** A sentence for each kind of what an upload leaves out. */
export function leftOutWarnings({ files = 0, folders = [], ambiguous = 0, beyond_end: beyond }: LeftOut): string[] {
  return [
    ...(files === 0
      ? []
      : [`Left out, because not in the checkout: ${counted(files, 'file')}, in ${folders.join(', ')}`]),
    ...(ambiguous === 0 ? [] : [`Left out, because several files of the checkout fit: ${counted(ambiguous, 'file')}`]),
    ...(beyond === undefined
      ? []
      : [
          `Left out, because beyond the end of the file: ${counted(beyond.lines, 'line')} of ` +
            `${counted(beyond.files, 'file')}. Check that the tests ran on the files that are checked out`,
        ]),
  ];
}

export function someOf(texts: readonly string[]): string {
  const more = texts.length > MOST_FILES_SHOWN ? ` and ${texts.length - MOST_FILES_SHOWN} more` : '';
  return `${texts.slice(0, MOST_FILES_SHOWN).join(', ')}${more}`;
}
