import { missedOf, sumFiles, type TreeFile, treeRows } from '../../core/coverage/file-tree.ts';
import { listCounts } from '../codec/decode-report.ts';
import type { TreeChoice, TreePage } from '../report-reader.ts';
import type { Asked } from './read-stored.ts';

/** ReportReader.browse, on this thread. */
export function browseReport({ report, base, renames = [], within, choice, offset, limit }: Asked<'browse'>): TreePage {
  const before = new Map(base === undefined ? [] : listCounts(base).map(({ name, totals }) => [name, totals]));
  const listed = listCounts(report);
  const after = new Set(listed.map(({ name }) => name));
  const renamed = new Map(renames.filter(([, old]) => !after.has(old)));
  const measured = within && new Set(within.flatMap((one) => listCounts(one).map(({ name }) => name)));
  const files = listed
    .filter(({ name }) => measured?.has(name) !== false)
    .map(
      ({ name, totals }): TreeFile => ({ name, totals, base: before.get(name) ?? before.get(renamed.get(name) ?? '') }),
    )
    .filter(fits(choice));
  const rows = treeRows(files, choice);
  return {
    total: rows.length,
    rows: rows.slice(offset, offset + limit),
    files: files.length,
    sums: sumFiles(files),
  };
}

function fits({ folder, query, show, among, except = [] }: TreeChoice): (file: TreeFile) => boolean {
  const names = among && new Set(among);
  const left = new Set(except);
  const wanted = query.toLowerCase();
  return ({ name, totals, base }) => {
    if (!name.startsWith(folder) || (names && !names.has(name)) || left.has(name)) return false;
    if (!name.toLowerCase().includes(wanted)) return false;
    if (show === 'missed') return missedOf(totals) > 0;
    if (show === 'all' || base === undefined) return show === 'all';
    return show === 'lost' ? missedOf(totals) > missedOf(base) : missedOf(totals) < missedOf(base);
  };
}
