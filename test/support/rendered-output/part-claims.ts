import type { FlagJson, LostJson } from '@coverage/shared';
import { checkRows } from './overall-claims.ts';
import { changedFileClaims } from './page-claims.ts';
import { type Claim, fractionOf, percentText, readCommentRows, readPage, readTable, type Told } from './told.ts';

/** What the tables of the comment and of the page, and the contexts of flags, say of flags and files. */
export function partClaims(told: Told): readonly Claim[] {
  return [
    ...told.json.flags.flatMap((flag) => flagClaims(told, flag)),
    ...fileClaims(told),
    ...changedFileClaims(told),
  ];
}

/** Two decimals of an unrounded number: exact enough for the counts of a test. */
function shown(percent: number | null): string {
  return percent === null ? 'none' : (Math.floor(percent * 100 + 1e-7) / 100).toFixed(2);
}

/** A change as it is shown: cut toward zero, with more decimals where the explanation needs them (rule 5). */
function shownChange({ coverage_change: change, verdict }: FlagJson): string {
  if (change === null) return '—';
  if (Math.abs(change) < 1e-9) return 'unchanged';
  const cut = `${change < 0 ? '−' : '+'}${(Math.floor(Math.abs(change) * 100 + 1e-7) / 100).toFixed(2)}`;
  const explained = /[−+]\d+\.\d{3,}(?= points)/.exec(verdict.explanation)?.[0];
  return `${explained?.startsWith(cut) ? explained : cut} points`;
}

function flagClaims({ json, statuses, comment, page }: Told, flag: FlagJson): readonly Claim[] {
  const { name, covered_percent: percent, cause } = flag;
  const change = shownChange(flag);
  // Rule 13: what did not report is not compared.
  const inRow = flag.verdict.state === 'incomplete' ? '' : change.replace(' points', '');
  const claim = (where: string, what: string, said: string | undefined, known: string): readonly Claim[] =>
    said === undefined ? [] : [{ where: `${where} of flag ${name}`, what, said, known }];
  const status = statuses[`coverage (${name})`];
  const row = readCommentRows(comment).find(([first = '']) => first.includes(` [\`${name}\`](`));
  const onPage = checkRows(page).get(`flag:${name}`);
  const total = percent === null ? '—' : `${shown(percent)}%`;
  const remedy = /cover(?:ing)? (\d+) more/i;
  const toCover = remedy.exec(cause?.sentence ?? '')?.[1] ?? 'none';
  return [
    ...claim('status', 'total', percent === null ? undefined : status && /: (\d+\.\d\d%)/.exec(status)?.[1], total),
    ...claim('status', 'change', status && /%, (unchanged|[−+]\d+\.\d+ points)/.exec(status)?.[1], change),
    ...claim('status', 'to cover', status && remedy.exec(status)?.[1], toCover),
    ...claim('comment', 'total', row?.[1]?.replace('no relevant lines', '—'), total),
    ...claim('comment', 'change', row?.[2], inRow),
    ...claim('comment', 'to cover', remedy.exec(row?.[3] ?? '')?.[1], toCover),
    ...claim('page', 'total', onPage?.[1]?.replace('no relevant lines', '—'), total),
    ...claim('page', 'change', onPage?.[2], inRow),
    ...claim('page', 'to cover', remedy.exec(onPage?.[4] ?? '')?.[1], toCover),
    ...claim('comment', 'changed lines to cover', askedIn(comment, `in \`${name}\` to`), askedOf(json, name)),
    ...claim('page', 'changed lines to cover', askedIn(readPage(page), `in ${name} to`), askedOf(json, name)),
  ];
}

/** `2 of the 3` of `Cover 2 of the 3 missed changed lines in api to pass.` */
function askedIn(text: string, where: string): string | undefined {
  return new RegExp(`Cover ((?:\\d+ of the|all) \\d+) missed changed [a-z ]*?${where}`).exec(text)?.[1];
}

function askedOf({ checks = [] }: Told['json'], flag: string): string {
  const sentence = checks.find(({ id }) => id === `flag:${flag}`)?.remedy?.sentence ?? '';
  return /^Cover ((?:\d+ of the|all) \d+) missed/.exec(sentence)?.[1] ?? 'none';
}

/** The file that a link of the comment leads to. */
const nameOf = (link: string | undefined): string => decodeURIComponent(/\/file\/([^)#]*)/.exec(link ?? '')?.[1] ?? '');

/** The files that a list of the comment names, be it in one line or in several. */
function listed(comment: string, title: string): readonly string[] {
  const list = comment.split(`**${title}:**`)[1]?.split(/\n\n(?!- )/)[0] ?? '';
  return [...list.matchAll(/\]\(([^)#]*\/file\/[^)#]*)\)/g)].map(([, link]) => nameOf(link));
}

function fileClaims({ json, comment, page }: Told): readonly Claim[] {
  const { patch } = json;
  const changed = readCommentRows(comment).filter(([first]) => first?.startsWith('[`'));
  const others = [...listed(comment, 'New in reports'), ...listed(comment, 'Lost in other files')];
  const ofPatch = new Map((patch?.files ?? []).map((file) => [file.name, file]));
  const sums = (key: 'covered_lines' | 'relevant_lines' | 'relevant_branches') =>
    (patch?.files ?? []).reduce((all, file) => all + file[key], 0);
  const lostOnPage = new Map(
    readTable(page, 'Files that lost coverage outside the change').map((cells) => [cells[0]?.split(' ')[0], cells]),
  );
  const moved = new Map(readTable(page, 'Changed files').map((cells) => [cells[0]?.split(' ')[0], cells]));
  return [
    ...changed.flatMap(([link, numbers = '']): Claim[] => {
      const name = nameOf(link);
      const where = `comment, ${name}`;
      const file = ofPatch.get(name);
      if (patch)
        return [
          { where, what: 'changed lines', said: numbers, known: file ? `${percentText(fractionOf(file))}%` : '' },
        ];
      const row = moved.get(name);
      if (row === undefined) return [];
      const change = row[3] === '—' || row[3] === 'new' ? '' : ` (${row[3]})`;
      return [{ where, what: 'total and change', said: numbers, known: `${row[2]}${change}` }];
    }),
    {
      where: 'comment',
      what: 'files that lost unchanged lines',
      said: listed(comment, 'Lost outside the change').toSorted().join(),
      known: (json.lost ?? [])
        .slice(0, 10)
        .map(({ name }) => name)
        .toSorted()
        .join(),
    },
    ...(json.lost ?? []).map((file) => ({
      where: 'page',
      what: 'lines that were lost',
      said: (lostOnPage.get(file.name)?.[3] ?? '').replaceAll(' , ', ', '),
      known: lostWords(file),
    })),
    ...others.map((name) => ({
      where: 'comment',
      what: 'files outside the change',
      said: name,
      known: ofPatch.has(name) ? `not ${name}, whose lines changed` : name,
    })),
    ...(patch && patch.file_count === patch.files.length
      ? (['covered_lines', 'relevant_lines', 'relevant_branches'] as const).map((key) => ({
          where: 'patch',
          what: `${key} of the files`,
          said: String(sums(key)),
          known: String(patch[key]),
        }))
      : []),
  ];
}

/** `3, 7–9, branches at 12, 14` */
function lostWords({ lost, lost_branches: branches }: LostJson): string {
  const lines = lost.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const ofBranches = `${branches.length === 1 ? 'branch' : 'branches'} at ${branches.join(', ')}`;
  return [...lines, ...(branches.length === 0 ? [] : [ofBranches])].join(', ');
}
