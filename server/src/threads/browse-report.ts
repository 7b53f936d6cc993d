import { missedOf, sumFiles, type TreeFile, treeRows } from '../domain/coverage/file-tree.ts';
import type { TreeChoice, TreePage } from '../ports/report-reader.ts';
import { listCounts } from '../report-codec/decode-report.ts';
import type { Asked } from './read-stored.ts';

/** ReportReader.browse, on this thread. */
export function browseReport({ report, base, choice, offset, limit }: Asked<'browse'>): TreePage {
  const before = new Map(base === undefined ? [] : listCounts(base).map(({ name, totals }) => [name, totals]));
  const files = listCounts(report)
    .map(({ name, totals }): TreeFile => ({ name, totals, base: before.get(name) }))
    .filter(fits(choice));
  const rows = treeRows(files, choice);
  return {
    total: rows.length,
    rows: rows.slice(offset, offset + limit),
    files: files.length,
    sums: sumFiles(files),
  };
}

function fits({ folder, query, show, among }: TreeChoice): (file: TreeFile) => boolean {
  const names = among && new Set(among);
  const wanted = query.toLowerCase();
  return ({ name, totals, base }) => {
    if (!name.startsWith(folder) || (names && !names.has(name))) return false;
    if (!name.toLowerCase().includes(wanted)) return false;
    if (show === 'missed') return missedOf(totals) > 0;
    return show === 'all' || (base !== undefined && missedOf(totals) > missedOf(base));
  };
}
