import { ArmCounts } from './arm-counts.ts';
import { type CoverageFormat, expectedForm, type ParsedReport, wrongRoot } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import type { ReportBytes } from './report-bytes.ts';
import { LineAttributes, MAX_ARMS } from './xml-lines.ts';
import { readFirstTag } from './xml-markup.ts';
import { readXml, type XmlReader, type XmlTag } from './xml-tags.ts';

const CHILDREN: ReadonlySet<string> = new Set(['sources', 'packages', 'classes']);
const COUNTED_ARMS = /\(\s*(\d+)\s*\/\s*(\d+)\s*\)\s*$/;

/**
 * Cobertura XML (coverage-04.dtd), as coverage.py, istanbul, gcovr, coverlet, PHPUnit and many others write it.
 * Clover's and SonarQube's roots are called `coverage` too: Cobertura's has rates, or sources and packages directly
 * below.
 */
export const cobertura: CoverageFormat = {
  name: 'cobertura',
  globs: ['*cobertura*.xml', '*coverage*.xml'],
  matches(head) {
    const root = readFirstTag(head);
    if (root?.name.toLowerCase() !== 'coverage' || root.rest === undefined) return false;
    if (/\s(?:generated|clover)\s*=/.test(root.attributes)) return false;
    return /\sline-rate\s*=/.test(root.attributes) || CHILDREN.has(readFirstTag(root.rest)?.name ?? '');
  },
  parse: parseCobertura,
};

function parseCobertura(report: ReportBytes): ParsedReport {
  const reader = new CoberturaReader();
  readXml(report, reader);
  return {
    files: reader.files.packed(),
    sources: reader.sources,
    warnings: reader.attributes.warnings(report.path),
  };
}

/** The lines under one class, or under its methods. */
interface Listed {
  readonly lines: FileHits;
  readonly arms: ArmCounts;
}

class CoberturaReader implements XmlReader {
  readonly files = new HitFiles();
  readonly sources: string[] = [];
  readonly textOf = new Set(['source']);
  readonly attributes = new LineAttributes();
  #source = '';
  #depth = 0;
  #class: { readonly own: Listed; readonly ofMethods: Listed } | undefined;
  #inMethods = false;
  readonly #ownArms = new ArmCounts();
  readonly #armsOfMethods = new ArmCounts();

  open(tag: XmlTag): void {
    this.#depth += 1;
    if (this.#depth === 1 && tag.name !== 'coverage') throw tag.damaged(wrongRoot(tag.name));
    if (tag.name === 'line') this.#readLine(tag);
    else if (tag.name === 'class') this.#openClass(tag);
    else if (tag.name === 'methods') this.#inMethods = true;
    else if (tag.name === 'source') this.#source = '';
  }

  text(piece: string): void {
    this.#source += piece;
  }

  close(name: string): void {
    this.#depth -= 1;
    if (name === 'class') this.#closeClass();
    else if (name === 'methods') this.#inMethods = false;
    else if (name === 'source' && this.#source.trim() !== '') this.sources.push(this.#source.trim());
  }

  #openClass(tag: XmlTag): void {
    const name = tag.attribute('filename')?.trim();
    if (!name) throw tag.damaged(expectedForm('filename="..." on <class>', name));
    this.#class = {
      own: { lines: this.files.apart(name), arms: this.#ownArms },
      ofMethods: { lines: this.files.apart(name), arms: this.#armsOfMethods },
    };
    this.#ownArms.forget();
    this.#armsOfMethods.forget();
    this.#inMethods = false;
  }

  /**
   * Classes of one file (inner classes, Go types, several assemblies) are elements of their own: their hits are summed.
   * Istanbul lists the declarations of functions under methods, which are no lines: these count only without others.
   */
  #closeClass(): void {
    if (this.#class === undefined) return;
    const { own, ofMethods } = this.#class;
    const { lines, arms } = own.lines.lastLine > 0 ? own : ofMethods;
    arms.moveTo(lines);
    this.files.add(lines);
    this.#class = undefined;
  }

  /** A line that is listed twice, as gcovr does for each function that holds it, has the larger count, not the sum. */
  #readLine(tag: XmlTag): void {
    if (this.#class === undefined) return;
    const listed = this.#inMethods ? this.#class.ofMethods : this.#class.own;
    const line = this.attributes.line(tag, 'number');
    if (line === 0) return;
    listed.lines.raiseLine(line, this.attributes.hits(tag, 'hits'));
    const form = tag.readFraction('condition-coverage');
    if (form !== 'missing') this.#readCondition(tag, { line, arms: listed.arms, isPlain: form === 'plain' });
    else if (tag.says('branch', 'true')) this.attributes.unusual.uncounted += 1;
  }

  #readCondition(
    tag: XmlTag,
    { line, arms, isPlain }: { readonly line: number; readonly arms: ArmCounts; readonly isPlain: boolean },
  ): void {
    const counted = isPlain ? tag.fraction : countedArms(tag);
    if (counted === undefined) {
      this.attributes.unusual.uncounted += 1;
      return;
    }
    const [covered, all] = counted;
    if (covered > all || all > MAX_ARMS) {
      const condition = tag.attribute('condition-coverage');
      throw tag.damaged(expectedForm('condition-coverage="<percent> (<covered>/<all>)"', condition));
    }
    arms.raise(line, covered, all);
  }
}

/** For a condition that is written in another way, with blanks for one. */
function countedArms(tag: XmlTag): readonly [number, number] | undefined {
  const counted = COUNTED_ARMS.exec(tag.attribute('condition-coverage') ?? '');
  return counted === null ? undefined : [Number(counted[1]), Number(counted[2])];
}
