import { fitsGroup } from '../../core/builds/compose-groups.ts';
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
  const { group } = choice;
  const isInGroup = group && fitsOf(group, listed);
  const all = listed
    .filter(({ name }) => measured?.has(name) !== false && isInGroup?.(name) !== false)
    .map(
      ({ name, totals }): TreeFile => ({ name, totals, base: before.get(name) ?? before.get(renamed.get(name) ?? '') }),
    );
  const exact = all.filter(fits(choice, contains));
  const isFuzzy = choice.fuzzy === true && choice.query !== '' && exact.length === 0;
  const files = isFuzzy ? all.filter(fits(choice, hasInOrder)) : exact;
  const rows = treeRows(files, choice);
  return {
    total: rows.length,
    rows: rows.slice(offset, offset + limit),
    files: files.length,
    sums: sumFiles(files),
  };
}

/** None if what is asked makes no such group. */
function fitsOf(
  { asked, name, owners }: NonNullable<TreeChoice['group']>,
  files: readonly { readonly name: string }[],
) {
  for (const one of asked) {
    const isIn = fitsGroup(one, { name, files, owners });
    if (isIn !== undefined) return isIn;
  }
  return () => false;
}

type Matches = (name: string, wanted: string) => boolean;

const contains: Matches = (name, wanted) => name.includes(wanted);

/** `shpcrt` is in `shop/cart.ts`: what a reader types who knows the path. */
const hasInOrder: Matches = (name, wanted) => {
  let at = 0;
  for (const letter of wanted.replaceAll(' ', '')) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
};

function fits({ folder, query, show, among, except = [] }: TreeChoice, matches: Matches): (file: TreeFile) => boolean {
  const names = among && new Set(among);
  const left = new Set(except);
  const wanted = query.toLowerCase();
  return ({ name, totals, base }) => {
    if (!name.startsWith(folder) || (names && !names.has(name)) || left.has(name)) return false;
    if (!matches(name.toLowerCase(), wanted)) return false;
    if (show === 'missed') return missedOf(totals) > 0;
    if (show === 'all' || base === undefined) return show === 'all';
    return show === 'lost' ? missedOf(totals) > missedOf(base) : missedOf(totals) < missedOf(base);
  };
}
