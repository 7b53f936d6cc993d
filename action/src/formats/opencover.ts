import { counted } from '../runner/words.ts';
import { type CoverageFormat, type ParsedReport, wrongRoot } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { HIDDEN_LINE, LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

const LINES = ['sl', 'el'] as const;

/** OpenCover XML, as OpenCover, coverlet and AltCover write it. */
export const openCover: CoverageFormat = {
  name: 'opencover',
  globs: ['*opencover*.xml'],
  matches: (head) => readFirstTag(head)?.name === 'CoverageSession',
  parse: parseOpenCover,
};

function parseOpenCover(report: ReportBytes): ParsedReport {
  const reader = new OpenCoverReader();
  readXml(report, reader);
  return { files: reader.files.packed(), sources: [], warnings: reader.warnings(report.path) };
}

/** One file of the module at hand. */
interface ModuleFile {
  readonly lines: FileHits;
  /** By line: the decisions that it holds, by method and offset, in the order in which they are named. */
  readonly decisions: Map<number, Map<string, number>>;
}

class OpenCoverReader implements XmlReader {
  readonly files = new HitFiles();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  #depth = 0;
  #module = new Map<string, ModuleFile>();
  #method = 0;
  #methodFile = '';
  #withoutLine = 0;

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'CoverageSession') throw tag.damaged(wrongRoot(tag.name, 'CoverageSession'));
    if (tag.name === 'SequencePoint') this.#readLines(tag);
    else if (tag.name === 'BranchPoint') this.#readBranch(tag);
    else if (tag.name === 'File') this.#openFile(tag);
    else if (tag.name === 'FileRef') this.#methodFile = tag.attribute('uid') ?? '';
    else if (tag.name === 'Method') {
      this.#method += 1;
      this.#methodFile = '';
    }
  }

  text(): void {}

  close(name: string): void {
    this.#depth -= 1;
    if (name === 'Module') this.#closeModule();
  }

  warnings(path: string): string[] {
    const more = this.#withoutLine === 0 ? [] : [branchesWithoutLine(path, this.#withoutLine)];
    return [...this.attributes.warnings(path), ...more];
  }

  #openFile(tag: XmlTag): void {
    const [uid, name] = [tag.attribute('uid'), tag.attribute('fullPath')?.trim()];
    if (uid === undefined) throw wrong(tag, 'uid', '...');
    if (!name) throw wrong(tag, 'fullPath', '...');
    this.#module.set(uid, { lines: this.files.apart(name), decisions: new Map() });
  }

  /** A file that is compiled into several modules was run in each of them. */
  #closeModule(): void {
    for (const { lines } of this.#module.values()) this.files.add(lines);
    this.#module = new Map();
    this.#method = 0;
  }

  /** The file of a point; old reports name it once for the method. Undefined for code without a source file. */
  #fileOf(tag: XmlTag): ModuleFile | undefined {
    return this.#module.get(tag.attribute('fileid') ?? this.#methodFile);
  }

  #readLines(tag: XmlTag): void {
    const file = this.#fileOf(tag);
    if (file !== undefined) this.attributes.raiseLines(tag, LINES, file.lines, this.attributes.hits(tag, 'vc'));
  }

  /** Decisions are numbered by line, since the offset alone is not the same in every build. */
  #readBranch(tag: XmlTag): void {
    const file = this.#fileOf(tag);
    if (file === undefined || tag.digits('sl') === HIDDEN_LINE) return;
    if (tag.attribute('sl') === undefined) {
      this.#withoutLine += 1;
      return;
    }
    const line = this.attributes.line(tag, 'sl');
    if (line === 0) return;
    const decisions = file.decisions.get(line) ?? new Map<string, number>();
    file.decisions.set(line, decisions);
    const key = `${this.#method} ${tag.attribute('offset')}`;
    const decision = decisions.get(key) ?? decisions.size;
    decisions.set(key, decision);
    file.lines.addBranch(line, decision, this.attributes.arms(tag, 'path'), this.attributes.hits(tag, 'vc'));
  }
}

function branchesWithoutLine(path: string, branches: number): string {
  return `${path}: ${counted(branches, 'branch', 'branches')} left out: the report does not say on which line`;
}
