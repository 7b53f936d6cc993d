import type { LeftOut } from '@coverage/shared';
import { FileHits } from '../formats/file-hits.ts';
import type { Log } from '../runner/log.ts';
import { counted } from '../runner/words.ts';

const LINE_FEED = 0x0a;
/** What any language ends a line with. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const MAX_SHOWN = 5;

/** Keeps hits within the texts of their files: a report of another text names lines that are not there. */
export class TextEnds {
  readonly #files: FileHits[] = [];
  readonly #beyond: { readonly name: string; readonly left: number; readonly lines: number }[] = [];

  /** The files that were looked at, as they are sent. */
  get files(): readonly FileHits[] {
    return this.#files;
  }

  /** The hits on lines that the text has; all of them where the text is not known. */
  within(file: FileHits, text: Buffer | undefined): FileHits {
    const end = text === undefined ? Number.POSITIVE_INFINITY : lastLine(text, lastNamed(file));
    const { kept, left } = lastNamed(file) > end ? cutAt(file, end) : { kept: file, left: 0 };
    if (left > 0) this.#beyond.push({ name: file.name, left, lines: end });
    this.#files.push(kept);
    return kept;
  }

  /** Warns of what was left out so far. */
  tell(log: Log): Pick<LeftOut, 'beyond_end'> {
    if (this.#beyond.length === 0) return {};
    const found = {
      beyond_end: { lines: this.#beyond.reduce((sum, { left }) => sum + left, 0), files: this.#beyond.length },
    };
    for (const warning of leftOutWarnings(found)) log.warning(warning);
    for (const { name, left, lines: all } of this.#beyond.slice(0, MAX_SHOWN))
      log.info(`  ${name} has ${counted(all, 'line')}, and its report ${left} beyond them`);
    return found;
  }
}

/** The last line that has a hit or a branch. */
function lastNamed(file: FileHits): number {
  let last = file.lastLine;
  file.eachBranch((line) => {
    if (line > last) last = line;
  });
  return last;
}

/** How many lines a text has; it is not read further than asked for. */
function lastLine(text: Buffer, asked: number): number {
  let lines = 0;
  let start = 0;
  for (let at = text.indexOf(LINE_FEED); at >= 0 && lines < asked; at = text.indexOf(LINE_FEED, start)) {
    lines += 1;
    start = at + 1;
  }
  if (start < text.length) lines += 1;
  if (lines >= asked) return lines;
  const others = text.toString('utf8').split(LINE_END);
  return others.at(-1) === '' ? others.length - 1 : others.length;
}

function cutAt(file: FileHits, end: number): { readonly kept: FileHits; readonly left: number } {
  const kept = new FileHits(file.name);
  const left = new Set<number>();
  file.eachLine((line, hits) => {
    if (line <= end) kept.addLine(line, hits);
    else left.add(line);
  });
  file.eachBranch((line, block, branch, hits) => {
    if (line <= end) kept.addBranch(line, block, branch, hits);
    else left.add(line);
  });
  return { kept, left: left.size };
}

const MAX_FILES_SHOWN = 5;

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
  const more = texts.length > MAX_FILES_SHOWN ? ` and ${texts.length - MAX_FILES_SHOWN} more` : '';
  return `${texts.slice(0, MAX_FILES_SHOWN).join(', ')}${more}`;
}
