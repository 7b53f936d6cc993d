import { ArmCounts } from './arm-counts.ts';
import { type CoverageFormat, type ParsedReport, wrongRoot } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

const SWITCH: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['false', 0],
]);

/** SonarQube's generic coverage: files of `lineToCover`, each covered or not, with numbers of arms. */
export const sonarqube: CoverageFormat = {
  name: 'sonarqube',
  globs: ['*sonar*.xml', 'generic-coverage.xml'],
  matches(head) {
    const root = readFirstTag(head);
    return root?.name === 'coverage' && readFirstTag(root.rest ?? '')?.name === 'file';
  },
  parse: parseSonarqube,
};

function parseSonarqube(report: ReportBytes): ParsedReport {
  const reader = new SonarqubeReader();
  readXml(report, reader);
  return { files: reader.files.packed(), sources: [], warnings: reader.attributes.warnings(report.path) };
}

class SonarqubeReader implements XmlReader {
  readonly files = new HitFiles();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  #depth = 0;
  #file: FileHits | undefined;
  readonly #arms = new ArmCounts();

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'coverage') throw tag.damaged(wrongRoot(tag.name));
    if (tag.name === 'lineToCover') this.#readLine(tag);
    else if (tag.name === 'file') this.#openFile(tag);
  }

  text(): void {}

  close(name: string): void {
    this.#depth -= 1;
    if (name !== 'file' || this.#file === undefined) return;
    this.#arms.moveTo(this.#file);
    this.#file = undefined;
  }

  #openFile(tag: XmlTag): void {
    const name = tag.attribute('path')?.trim();
    if (!name) throw wrong(tag, 'path', '...');
    this.#file = this.files.file(name);
    this.#arms.forget();
  }

  #readLine(tag: XmlTag): void {
    if (this.#file === undefined) return;
    const line = this.attributes.line(tag, 'lineNumber');
    if (line === 0) return;
    const hits = SWITCH.get(tag.attribute('covered') ?? '');
    if (hits === undefined) throw wrong(tag, 'covered', 'true|false');
    this.#file.raiseLine(line, hits);
    const [covered, all] = [this.attributes.arms(tag, 'coveredBranches'), this.attributes.arms(tag, 'branchesToCover')];
    if (covered > all) throw wrong(tag, 'coveredBranches', '<arms>');
    if (all > 0) this.#arms.raise(line, covered, all);
  }
}
