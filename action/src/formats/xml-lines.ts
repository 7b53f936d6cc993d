import { counted } from '../runner/words.ts';
import { expectedForm, lineZeroLeftOut, negativeHits } from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
import { readHits } from './hits-text.ts';
import type { XmlTag } from './xml-tags.ts';

/** A line with more arms than this is damage, not code. */
export const MAX_ARMS = 100_000;
/** What .NET's compilers write where a point belongs to no line. */
export const HIDDEN_LINE = 0xfeefee;
/** No statement has more lines; a larger span would take the memory of a file that long. */
const MAX_SPAN = 10_000;

/** Reads the attributes that tell of a line, and counts what was unusual about them. */
export class LineAttributes {
  readonly unusual = { negative: 0, lineZero: 0, uncounted: 0 };

  /** The number of a line; 0 where the report names a line that does not exist. */
  line(tag: XmlTag, attribute: string): number {
    const line = tag.digits(attribute);
    if (line < 0 || line > MAX_LINE) throw wrong(tag, attribute, '<line>');
    if (line === 0) this.unusual.lineZero += 1;
    return line;
  }

  /** Gives hits to all lines of a statement; the second attribute, with its last line, may be missing. */
  raiseLines(tag: XmlTag, [from, to]: readonly [string, string], file: FileHits, hits: number): void {
    if (tag.digits(from) === HIDDEN_LINE) return;
    const first = this.line(tag, from);
    if (first === 0) return;
    const last = tag.attribute(to) === undefined ? first : tag.digits(to);
    if (last < first || last - first > MAX_SPAN || last > MAX_LINE) throw wrong(tag, to, '<line>');
    for (let line = first; line <= last; line += 1) file.raiseLine(line, hits);
  }

  hits(tag: XmlTag, attribute: string): number {
    const plain = tag.digits(attribute);
    if (plain >= 0) return plain;
    const read = readHits(tag.attribute(attribute) ?? '');
    if (read === undefined) throw wrong(tag, attribute, '<count>');
    if (read.negative) this.unusual.negative += 1;
    return read.hits;
  }

  /** A number of arms; 0 where the tag has no such attribute. */
  arms(tag: XmlTag, attribute: string): number {
    const count = tag.digits(attribute);
    if (count >= 0 && count <= MAX_ARMS) return count;
    if (tag.attribute(attribute) === undefined) return 0;
    throw wrong(tag, attribute, '<arms>');
  }

  warnings(path: string): string[] {
    const { negative, lineZero, uncounted } = this.unusual;
    const warnings: string[] = [];
    if (negative > 0) warnings.push(negativeHits(path, { count: negative }));
    if (lineZero > 0) warnings.push(lineZeroLeftOut(path, { count: lineZero, what: 'element' }));
    if (uncounted > 0)
      warnings.push(
        `${path}: the branches of ${counted(uncounted, 'line')} are left out: ` +
          'condition-coverage does not count them, as in "50% (1/2)"',
      );
    return warnings;
  }
}

/** The failure for an attribute that is missing, or has another form than the one expected. */
export function wrong(tag: XmlTag, attribute: string, form: string): Error {
  return tag.damaged(expectedForm(`${attribute}="${form}" on <${tag.name}>`, tag.attribute(attribute)));
}
