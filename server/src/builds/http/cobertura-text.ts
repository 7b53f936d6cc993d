import type { CoverageTotals } from '../../core/coverage/totals.ts';
import type { FilePart } from '../../reports/report-reader.ts';
import { type ExportedReport, sumOf } from '../export-report.ts';

const DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">';

/**
 * `GET /builds/<x>/cobertura.xml` (coverage-04.dtd): a package for each folder, a class for each file. It says how many
 * branches of a line were taken, not which; and only of lines that have hits.
 */
export async function* coberturaText({
  files,
  totals,
  closedAt,
  read,
}: ExportedReport): AsyncGenerator<Iterable<string>> {
  const { coveredLines, relevantLines, coveredBranches, branches } = totals;
  yield [`<?xml version="1.0" encoding="UTF-8"?>\n${DOCTYPE}\n`];
  const sums =
    `<coverage ${rates(totals)} lines-covered="${coveredLines}" lines-valid="${relevantLines}" ` +
    `branches-covered="${coveredBranches}" branches-valid="${branches}" complexity="0" version="1" ` +
    `timestamp="${closedAt}">\n  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n`;
  yield [sums];
  for (const [folder, own] of Map.groupBy(files, ({ name }) => name.slice(0, Math.max(name.lastIndexOf('/'), 0)))) {
    const name = attribute(folder === '' ? '.' : folder.replaceAll('/', '.'));
    yield [`    <package name="${name}" ${rates(sumOf(own))} complexity="0">\n      <classes>\n`];
    for await (const file of read(own)) yield classOf(file);
    yield ['      </classes>\n    </package>\n'];
  }
  yield ['  </packages>\n</coverage>\n'];
}

function* classOf(file: FilePart): Generator<string> {
  const { name, hits, totals } = file;
  const arms = armsByLine(file);
  const own = attribute(name.slice(name.lastIndexOf('/') + 1));
  yield `        <class name="${own}" filename="${attribute(name)}" ${rates(totals)} complexity="0">\n`;
  yield '          <methods/>\n          <lines>\n';
  for (let index = 0; index < hits.length; index += 1) {
    if ((hits[index] as number) < 0) continue;
    const counted = arms.get(index);
    const branch =
      counted && ` branch="true" condition-coverage="${percentOf(counted)}% (${counted.covered}/${counted.all})"`;
    yield `            <line number="${index + 1}" hits="${hits[index]}"${branch ?? ''}/>\n`;
  }
  yield '          </lines>\n        </class>\n';
}

interface Counts {
  covered: number;
  all: number;
}

/** By index. Those of a line without hits count on the nearest one that has some, so that the total stays as it is. */
function armsByLine({ hits, branches }: FilePart): ReadonlyMap<number, Counts> {
  const byLine = new Map<number, Counts>();
  const first = hits.findIndex((count) => count >= 0);
  if (first < 0) return byLine;
  let [nearest, seen] = [first, first];
  branches.line.forEach((line, index) => {
    for (; seen < Math.min(line, hits.length); seen += 1) if ((hits[seen] as number) >= 0) nearest = seen;
    const counts = byLine.get(nearest) ?? { covered: 0, all: 0 };
    counts.all += 1;
    if ((branches.hits[index] as number) > 0) counts.covered += 1;
    byLine.set(nearest, counts);
  });
  return byLine;
}

/** Rounded down, so that 100 and 1 mean that nothing is missed. */
function percentOf({ covered, all }: Counts): number {
  return Math.floor((100 * covered) / all);
}

function rates({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals): string {
  const rate = (covered: number, all: number): number =>
    all === 0 ? 1 : Math.floor((10_000 * covered) / all) / 10_000;
  return `line-rate="${rate(coveredLines, relevantLines)}" branch-rate="${rate(coveredBranches, branches)}"`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML holds none of these
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function attribute(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
    .replace(/[\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
