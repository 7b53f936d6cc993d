import { type CoverageFormat, type ParsedReport, shown, wrongRoot } from './coverage-format.ts';
import { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

const COVERED: ReadonlyMap<string, number> = new Map([
  ['yes', 1],
  ['partial', 1],
  ['no', 0],
]);
const LINES = ['start_line', 'end_line'] as const;

/** Microsoft's XML of a `.coverage` file, as dotnet-coverage, CodeCoverage.exe and Visual Studio's tools write it. */
export const dotnetCoverage: CoverageFormat = {
  name: 'dotnet-coverage',
  aliases: ['visual-studio'],
  globs: ['*.coveragexml', '*coverage*.xml'],
  matches(head) {
    const root = readFirstTag(head);
    return root?.name === 'results' && readFirstTag(root.rest ?? '')?.name === 'modules';
  },
  parse: parseDotnetCoverage,
};

function parseDotnetCoverage(report: ReportBytes): ParsedReport {
  const reader = new DotnetCoverageReader();
  readXml(report, reader);
  return { files: reader.files.packed(), sources: [], warnings: reader.attributes.warnings(report.path) };
}

class DotnetCoverageReader implements XmlReader {
  readonly files = new HitFiles();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  #depth = 0;
  /** By number: the files of the module at hand, whose names come behind their lines. */
  readonly #module = new Map<string, FileHits>();

  #tag: XmlTag | undefined;

  open(tag: XmlTag): void {
    this.#depth += 1;
    this.#tag = tag;
    if (this.#depth === 1 && tag.name !== 'results') throw tag.damaged(wrongRoot(tag.name, 'results'));
    if (tag.name === 'range') this.#readLines(tag);
    else if (tag.name === 'source_file') this.#nameFile(tag);
  }

  text(): void {}

  close(name: string): void {
    this.#depth -= 1;
    const [unnamed] = name === 'module' ? this.#module.keys() : [];
    if (unnamed !== undefined)
      throw this.#tag?.damaged(`expected <source_file id=${shown(unnamed)}> in the module, as a <range> names it`);
  }

  #readLines(tag: XmlTag): void {
    const id = tag.attribute('source_id');
    const hits = COVERED.get(tag.attribute('covered') ?? '');
    if (id === undefined) throw wrong(tag, 'source_id', '...');
    if (hits === undefined) throw wrong(tag, 'covered', 'yes|partial|no');
    const file = this.#module.get(id) ?? new FileHits('');
    this.#module.set(id, file);
    this.attributes.raiseLines(tag, LINES, file, hits);
  }

  /** A file that is compiled into several modules was run in each of them. */
  #nameFile(tag: XmlTag): void {
    const [id, name] = [tag.attribute('id'), tag.attribute('path')?.trim()];
    if (id === undefined) throw wrong(tag, 'id', '...');
    if (!name) throw wrong(tag, 'path', '...');
    const file = this.files.file(name);
    const read = this.#module.get(id);
    if (read !== undefined) file.merge(read);
    this.#module.delete(id);
  }
}
