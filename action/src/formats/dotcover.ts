import { type CoverageFormat, type ParsedReport, wrongRoot } from './coverage-format.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

const SWITCH: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['false', 0],
]);
const LINES = ['Line', 'EndLine'] as const;

/** dotCover's detailed XML: statements, each covered or not. Its other XML has no lines. */
export const dotCover: CoverageFormat = {
  name: 'dotcover',
  globs: ['*dotcover*.xml'],
  matches(head) {
    const root = readFirstTag(head);
    return root?.name === 'Root' && /\sReportType\s*=\s*"DetailedXml"/i.test(root.attributes);
  },
  parse: parseDotCover,
};

function parseDotCover(report: ReportBytes): ParsedReport {
  const reader = new DotCoverReader();
  readXml(report, reader);
  return { files: reader.files.packed(), sources: [], warnings: reader.attributes.warnings(report.path) };
}

class DotCoverReader implements XmlReader {
  readonly files = new HitFiles();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  readonly #names = new Map<string, string>();
  #depth = 0;

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'Root') throw tag.damaged(wrongRoot(tag.name, 'Root'));
    if (tag.name === 'Statement') this.#readLines(tag);
    else if (tag.name === 'File') this.#openFile(tag);
  }

  text(): void {}

  close(): void {
    this.#depth -= 1;
  }

  #openFile(tag: XmlTag): void {
    const [index, name] = [tag.attribute('Index'), tag.attribute('Name')?.trim()];
    if (index === undefined) throw wrong(tag, 'Index', '...');
    if (!name) throw wrong(tag, 'Name', '...');
    this.#names.set(index, name);
    this.files.file(name);
  }

  #readLines(tag: XmlTag): void {
    const name = this.#names.get(tag.attribute('FileIndex') ?? '');
    if (name === undefined) throw wrong(tag, 'FileIndex', '...');
    const hits = SWITCH.get((tag.attribute('Covered') ?? '').toLowerCase());
    if (hits === undefined) throw wrong(tag, 'Covered', 'True|False');
    this.attributes.raiseLines(tag, LINES, this.files.file(name), hits);
  }
}
