// What a step says that sends nothing.
import { counted } from './counted.ts';
import { byteText } from './progress.ts';
import type { Counts } from './values.ts';

interface Covered {
  readonly covered: number;
  readonly all: number;
}

export function wouldUpload(
  url: string,
  { files, bytes, isSigned }: Counts<'files' | 'bytes'> & { readonly isSigned: boolean },
): string {
  return `Dry run. This would be uploaded to ${url}, ${token(isSigned)}: ${counted(files, 'file')}, ${byteText(bytes)}`;
}

export function wouldClose(url: string, isSigned: boolean): string {
  return `Dry run. This would be sent to ${url} to close the build, ${token(isSigned)}:`;
}

/** In place of the lines themselves. */
export function diffOf(files: number): string {
  return `line numbers of ${counted(files, 'changed file')}`;
}

export function fileHits(name: string, { lines, branches }: Record<'lines' | 'branches', Covered>): string {
  const ofBranches =
    branches.all === 0 ? '' : `, ${branches.covered} of ${counted(branches.all, 'branch', 'branches')}`;
  return `  ${name}: ${lines.covered} of ${counted(lines.all, 'line')}${ofBranches}`;
}

export function moreFiles(count: number): string {
  return `  and ${counted(count, 'more file')}`;
}

function token(isSigned: boolean): string {
  return isSigned ? 'with the token at hand' : 'with an id-token, or with none';
}
