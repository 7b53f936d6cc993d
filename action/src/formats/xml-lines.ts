import * as say from '../messages/damage.ts';
import { MAX_LINE } from './file-hits.ts';
import { readHits } from './hits-text.ts';
import type { XmlTag } from './xml-tags.ts';

/** A line with more arms than this is damage, not code. */
export const MAX_ARMS = 100_000;

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
    if (negative > 0) warnings.push(say.negativeHits(path, { count: negative }));
    if (lineZero > 0) warnings.push(say.lineZero(path, { count: lineZero, what: 'element' }));
    if (uncounted > 0) warnings.push(say.branchesUncounted(path, uncounted));
    return warnings;
  }
}

/** The failure for an attribute that is missing, or has another form than the one expected. */
export function wrong(tag: XmlTag, attribute: string, form: string): Error {
  return tag.damaged(say.expectedForm(`${attribute}="${form}" on <${tag.name}>`, tag.attribute(attribute)));
}
