import { ArmCounts } from './arm-counts.ts';
import { type CoverageFormat, type ParsedReport, wrongRoot } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { addHits } from './hits-text.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

/** Clover XML, as PHPUnit, istanbul (jest, nyc, vitest), OpenClover and gcovr write it. */
export const clover: CoverageFormat = {
  name: 'clover',
  globs: ['*clover*.xml'],
  matches(head) {
    const root = readFirstTag(head);
    if (root?.name !== 'coverage') return false;
    if (/\s(?:generated|clover)\s*=/.test(root.attributes)) return true;
    return readFirstTag(root.rest ?? '')?.name === 'project';
  },
  parse: parseClover,
};

function parseClover(report: ReportBytes): ParsedReport {
  const reader = new CloverReader();
  readXml(report, reader);
  return { files: reader.files.packed(), sources: [], warnings: reader.attributes.warnings(report.path) };
}

/** What one `<file>` holds. */
interface OpenFile {
  readonly lines: FileHits;
  /** For OpenClover: how many conditions a line had so far. */
  readonly conditions: Map<number, number>;
}

class CloverReader implements XmlReader {
  readonly files = new HitFiles();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  #depth = 0;
  #inTests = false;
  /** For istanbul. */
  readonly #arms = new ArmCounts();
  #file: OpenFile | undefined;

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'coverage') throw tag.damaged(wrongRoot(tag.name));
    if (tag.name === 'line') this.#readLine(tag);
    else if (tag.name === 'file' && !this.#inTests) this.#openFile(tag);
    else if (tag.name === 'testproject') this.#inTests = true;
  }

  text(): void {}

  close(name: string): void {
    this.#depth -= 1;
    if (name === 'file') this.#closeFile();
    else if (name === 'testproject') this.#inTests = false;
  }

  /** PHPUnit writes the whole path as the name; the others have it in `path`. */
  #openFile(tag: XmlTag): void {
    const name = (tag.attribute('path') || tag.attribute('name'))?.trim();
    if (!name) throw wrong(tag, 'name', '...');
    this.#file = { lines: this.files.apart(name), conditions: new Map() };
  }

  #closeFile(): void {
    if (this.#file === undefined) return;
    this.#arms.moveTo(this.#file.lines);
    this.files.add(this.#file.lines);
    this.#file = undefined;
  }

  /** Where a method begins is no statement: PHPUnit and OpenClover name it besides. */
  #readLine(tag: XmlTag): void {
    const type = tag.attribute('type');
    if (this.#file === undefined || type === 'method') return;
    const line = this.attributes.line(tag, 'num');
    if (line === 0) return;
    if (type === 'cond' && tag.attribute('count') === undefined) this.#readCondition(tag, line, this.#file);
    else {
      this.#file.lines.raiseLine(line, this.attributes.hits(tag, 'count'));
      if (type === 'cond') this.#readArms(tag, line);
    }
  }

  /** Istanbul counts the arms: `truecount` those that were taken, `falsecount` the others. */
  #readArms(tag: XmlTag, line: number): void {
    const [covered, missed] = [this.attributes.arms(tag, 'truecount'), this.attributes.arms(tag, 'falsecount')];
    this.#arms.raise(line, covered, covered + missed);
  }

  /** OpenClover counts how often a condition was true, and how often false. */
  #readCondition(tag: XmlTag, line: number, { lines, conditions }: OpenFile): void {
    const [whenTrue, whenFalse] = [this.attributes.hits(tag, 'truecount'), this.attributes.hits(tag, 'falsecount')];
    const before = conditions.get(line) ?? 0;
    conditions.set(line, before + 1);
    lines.raiseLine(line, addHits(whenTrue, whenFalse));
    lines.addBranch(line, before, 0, whenTrue);
    lines.addBranch(line, before, 1, whenFalse);
  }
}
