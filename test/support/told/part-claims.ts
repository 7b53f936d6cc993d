import type { FlagJson } from '@coverage/shared';
import { type Claim, fractionOf, percentText, readCommentRows, readRows, type Told } from './told.ts';

/** What the tables of the comment and of the page, and the contexts of flags, say of flags and files. */
export function partClaims(told: Told): readonly Claim[] {
  return [...told.json.flags.flatMap((flag) => flagClaims(told, flag)), ...fileClaims(told)];
}

/** Two decimals of an unrounded number: exact enough for the counts of a test. */
function shown(percent: number | null): string {
  return percent === null ? 'none' : (Math.floor(percent * 100 + 1e-7) / 100).toFixed(2);
}

/** A change as it is shown: cut toward zero. */
function shownChange(change: number | null): string {
  if (change === null) return '—';
  if (Math.abs(change) < 1e-9) return 'unchanged';
  return `${change < 0 ? '−' : '+'}${(Math.floor(Math.abs(change) * 100 + 1e-7) / 100).toFixed(2)} points`;
}

function flagClaims({ statuses, comment, page }: Told, flag: FlagJson): readonly Claim[] {
  const { name, covered_percent: percent, coverage_change: change, verdict, cause } = flag;
  const claim = (where: string, what: string, said: string | undefined, known: string): readonly Claim[] =>
    said === undefined ? [] : [{ where: `${where} of flag ${name}`, what, said, known }];
  const status = statuses[`coverage (${name})`];
  const row = readCommentRows(comment).find(([first]) => first === `\`${name}\``);
  const onPage = readRows(page).find((cells) => cells.length === 4 && cells[0]?.split(' ')[0] === name);
  const total = percent === null ? '—' : `${shown(percent)}%`;
  const remedy = /cover(?:ing)? (\d+) more/i;
  const toCover = remedy.exec(cause?.sentence ?? '')?.[1] ?? 'none';
  return [
    ...claim('status', 'total', percent === null ? undefined : status && /: (\d+\.\d\d%)/.exec(status)?.[1], total),
    ...claim(
      'status',
      'change',
      status && /%, (unchanged|[−+]\d+\.\d\d points)/.exec(status)?.[1],
      shownChange(change),
    ),
    ...claim('status', 'to cover', status && remedy.exec(status)?.[1], toCover),
    ...claim('comment', 'total', row?.[1]?.replace('no relevant lines', '—'), total),
    ...claim('comment', 'change', row?.[2], shownChange(change)),
    ...claim('comment', 'to cover', remedy.exec(row?.[3] ?? '')?.[1], toCover),
    ...claim('page', 'total', onPage?.[1]?.replace('no relevant lines', '—'), total),
    ...claim('page', 'change', onPage?.[2], shownChange(change)),
    ...claim('page', 'verdict', onPage?.[3], verdict.explanation),
  ];
}

/** The rows below a heading of the comment. */
function section(comment: string, heading: string): readonly (readonly string[])[] {
  return readCommentRows(comment.split(heading)[1]?.split(/\n(?:###|<details>|<\/details>)/)[0] ?? '');
}

const nameOf = (cell: string | undefined): string => /`(.*?)`/.exec(cell ?? '')?.[1] ?? '';

function fileClaims({ json, comment, page }: Told): readonly Claim[] {
  const { patch } = json;
  const changed = section(comment, '### Changed files');
  const others = [
    ...section(comment, '### Newly or no longer'),
    ...section(comment, 'Lost coverage outside the change'),
  ];
  const ofPatch = new Map((patch?.files ?? []).map((file) => [file.name, file]));
  const sums = (key: 'covered_lines' | 'relevant_lines' | 'relevant_branches') =>
    (patch?.files ?? []).reduce((all, file) => all + file[key], 0);
  const moved = new Map(
    readRows(page).flatMap((cells) => (cells.length === 4 ? [[cells[0]?.split(' ')[0], cells]] : [])),
  );
  return [
    ...changed.flatMap(([name, total, change, percent = '']): Claim[] => {
      const file = ofPatch.get(nameOf(name));
      const where = `comment, ${name}`;
      const row = moved.get(nameOf(name));
      return [
        ...(patch
          ? [{ where, what: 'changed lines', said: percent, known: file ? `${percentText(fractionOf(file))}%` : '—' }]
          : []),
        ...(row && total !== '—'
          ? [
              { where, what: 'total', said: total ?? '', known: row[1] ?? '' },
              { where, what: 'change', said: change ?? '', known: row[2] ?? '' },
            ]
          : []),
      ];
    }),
    ...others.map(([name]) => ({
      where: 'comment',
      what: 'files outside the change',
      said: nameOf(name),
      known: ofPatch.has(nameOf(name)) ? `not ${name}, whose lines changed` : nameOf(name),
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
