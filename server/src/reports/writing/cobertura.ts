import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../../core/coverage/totals.ts';
import type { OpenWriter, Rows, WrittenFile } from './report-writer.ts';

const DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">';

/**
 * Cobertura (coverage-04.dtd): a package for each folder, a class for each file. It says how many branches of a line
 * were taken, not which; and only of lines that have hits.
 */
export const openCobertura: OpenWriter = (listed, closedAt) => {
  const folders = Map.groupBy(listed, folderOf);
  const files = [...folders.values()].flat();
  const at = (place: number): WrittenFile => files[place] as WrittenFile;
  const isBetween = (place: number): boolean =>
    place <= 0 || place >= files.length || folderOf(at(place)) !== folderOf(at(place - 1));
  const beginPackage = (folder: string): string => {
    const name = attribute(folder === '' ? '.' : folder.replaceAll('/', '.'));
    return `    <package name="${name}" ${rates(sumOf(folders.get(folder) ?? []))} complexity="0">\n      <classes>\n`;
  };
  return {
    files,
    begin: beginReport(sumOf(listed), closedAt),
    end: '  </packages>\n</coverage>\n',
    open(place) {
      const file = at(place);
      return (isBetween(place) ? beginPackage(folderOf(file)) : '') + beginClass(file);
    },
    close: (place) =>
      `          </lines>\n        </class>\n${isBetween(place + 1) ? '      </classes>\n    </package>\n' : ''}`,
    rows: rowsOf,
  };
};

function folderOf({ name }: WrittenFile): string {
  return name.slice(0, Math.max(name.lastIndexOf('/'), 0));
}

function sumOf(files: readonly WrittenFile[]): CoverageTotals {
  return files.reduce((sum, { totals }) => addTotals(sum, totals), NO_TOTALS);
}

function beginReport(totals: CoverageTotals, closedAt: number): string {
  const { coveredLines, relevantLines, coveredBranches, branches } = totals;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n${DOCTYPE}\n` +
    `<coverage ${rates(totals)} lines-covered="${coveredLines}" lines-valid="${relevantLines}" ` +
    `branches-covered="${coveredBranches}" branches-valid="${branches}" complexity="0" version="1" ` +
    `timestamp="${closedAt}">\n  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n`
  );
}

function beginClass({ name, totals }: WrittenFile): string {
  const own = attribute(name.slice(name.lastIndexOf('/') + 1));
  return (
    `        <class name="${own}" filename="${attribute(name)}" ${rates(totals)} complexity="0">\n` +
    '          <methods/>\n          <lines>\n'
  );
}

function rowsOf(file: FileCoverage): Rows {
  const { hits } = file;
  const arms = armsByLine(file);
  return {
    count: hits.length,
    write(from, to) {
      let text = '';
      for (let index = from; index < to; index += 1) {
        if ((hits[index] as number) < 0) continue;
        const counted = arms.get(index);
        const branch =
          counted && ` branch="true" condition-coverage="${percentOf(counted)}% (${counted.covered}/${counted.all})"`;
        text += `            <line number="${index + 1}" hits="${hits[index]}"${branch ?? ''}/>\n`;
      }
      return text;
    },
  };
}

interface Counts {
  covered: number;
  all: number;
}

/** By index. Those of a line without hits count on the nearest one that has some, so that the total stays as it is. */
function armsByLine({ hits, branches }: FileCoverage): ReadonlyMap<number, Counts> {
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
