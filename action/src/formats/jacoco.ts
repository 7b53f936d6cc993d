import { addArms } from './arm-counts.ts';
import { type CoverageFormat, type PackagedName, type ParsedReport, wrongRoot } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, wrong } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

/** Whether a first `<line>` says which instructions ran: gcovr's JaCoCo leaves that out. */
const LINE_WITHOUT_INSTRUCTIONS = /<line nr="\d*"(?: mb="\d*" cb="\d*")?\/>/;

/** JaCoCo XML: groups (modules) of packages of source files. */
export const jacoco: CoverageFormat = {
  name: 'jacoco',
  globs: ['*jacoco*.xml'],
  matches(head) {
    if (readFirstTag(head)?.name !== 'report') return false;
    return /<(?:sessioninfo|group|package|counter)[\s/>]/.test(head) && !LINE_WITHOUT_INSTRUCTIONS.test(head);
  },
  parse: parseJacoco,
};

function parseJacoco(report: ReportBytes): ParsedReport {
  const reader = new JacocoReader();
  readXml(report, reader);
  const { files, packaged, attributes } = reader;
  return { files: files.packed(), sources: [], packaged, warnings: attributes.warnings(report.path) };
}

class JacocoReader implements XmlReader {
  readonly files = new HitFiles();
  readonly packaged = new Map<string, PackagedName>();
  readonly attributes = new LineAttributes();
  readonly textOf = new Set<string>();
  readonly #groups: string[] = [];
  #depth = 0;
  #package = '';
  #file: FileHits | undefined;

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'report') throw tag.damaged(wrongRoot(tag.name, 'report'));
    if (tag.name === 'line') this.#readLine(tag);
    else if (tag.name === 'sourcefile') this.#openFile(tag);
    else if (tag.name === 'package') this.#package = tag.attribute('name') ?? '';
    else if (tag.name === 'group') this.#groups.push(tag.attribute('name') ?? '');
  }

  text(): void {}

  close(name: string): void {
    this.#depth -= 1;
    if (name === 'sourcefile') this.#file = undefined;
    else if (name === 'group') this.#groups.pop();
  }

  /** Two modules may hold the same package and file: with its groups each has a name of its own. */
  #openFile(tag: XmlTag): void {
    const own = tag.attribute('name')?.trim();
    if (!own) throw wrong(tag, 'name', '...');
    const path = this.#package === '' ? own : `${this.#package}/${own}`;
    const name = [...this.#groups, path].join('/');
    this.#file = this.files.file(name);
    this.packaged.set(name, { modules: [...this.#groups], path });
  }

  /** Numbers of instructions are no hits: a line is covered once where any of its instructions ran. */
  #readLine(tag: XmlTag): void {
    if (this.#file === undefined) return;
    const line = this.attributes.line(tag, 'nr');
    if (line === 0) return;
    if (tag.attribute('mi') === undefined || tag.attribute('ci') === undefined)
      throw tag.damaged(
        'expected mi="..." and ci="..." on <line>; gcovr does not write them, let it write --cobertura or --lcov',
      );
    const [missed, covered] = [this.attributes.hits(tag, 'mi'), this.attributes.hits(tag, 'ci')];
    if (missed + covered === 0) return;
    this.#file.raiseLine(line, covered > 0 ? 1 : 0);
    const [missedArms, coveredArms] = [this.attributes.arms(tag, 'mb'), this.attributes.arms(tag, 'cb')];
    addArms(this.#file, line, coveredArms, missedArms + coveredArms);
  }
}
