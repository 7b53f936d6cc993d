import { type CoverageFormat, type ParsedReport, wrongRoot } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

/** Scoverage's XML (Scala): statements with their source and line; those that begin a branch are its arms. */
export const scoverage: CoverageFormat = {
  name: 'scoverage',
  globs: ['scoverage*.xml'],
  matches: (head) => readFirstTag(head)?.name === 'scoverage',
  parse: parseScoverage,
};

function parseScoverage(report: ReportBytes): ParsedReport {
  const reader = new ScoverageReader();
  readXml(report, reader);
  return { files: reader.files.packed(), sources: [], warnings: reader.attributes.warnings(report.path) };
}

class ScoverageReader implements XmlReader {
  readonly files = new HitFiles();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  #depth = 0;

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'scoverage') throw tag.damaged(wrongRoot(tag.name, 'scoverage'));
    if (tag.name === 'statement') this.#readStatement(tag);
  }

  text(): void {}

  close(): void {
    this.#depth -= 1;
  }

  /** A line has the largest count of its statements. */
  #readStatement(tag: XmlTag): void {
    if (tag.says('ignored', 'true')) return;
    const name = tag.attribute('source')?.trim();
    if (!name) throw wrong(tag, 'source', '...');
    const line = this.attributes.line(tag, 'line');
    if (line === 0) return;
    const hits = this.attributes.hits(tag, 'invocation-count');
    const file = this.files.file(name);
    file.raiseLine(line, hits);
    if (tag.says('branch', 'true')) this.#addArm(file, line, tag, hits);
  }

  /** An arm is known by the text that it stands for, since the numbers of statements change with the other files. */
  #addArm(file: FileHits, line: number, tag: XmlTag, hits: number): void {
    file.addBranch(line, this.#offset(tag, 'start'), this.#offset(tag, 'end'), hits);
  }

  #offset(tag: XmlTag, attribute: string): number {
    const offset = tag.digits(attribute);
    if (offset < 0) throw wrong(tag, attribute, '<offset>');
    return offset;
  }
}
