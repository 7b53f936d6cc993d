import { type Claim, changeText, fractionOf, percentText, placesOf, readPage, readTable, type Told } from './told.ts';

/** The verdict on the page: its sentence, and what is to be done for the build as a whole. */
export function readBand(page: string): string {
  const steps = [...page.matchAll(/<p class="(?:todo|also)">(.*?)<\/p>/gs)].map(([, step = '']) => step);
  const sentence = /<p class="says \w+">(.*?)<\/p>/s.exec(page)?.[1] ?? '';
  // What is to be done is said of the first check that fails: of the build where that is the total.
  const isOfTotal = !/^(?:Failed: (?!the total)|Passed, but )/.test(readPage(sentence).trim());
  return readPage([sentence, ...(isOfTotal ? steps : [])].join(' ')).trim();
}

/** The total on the page, as a status has it: `63.63%, −23.86 points from 87.50%`. */
export function readTotal(page: string): string {
  const [, total = '', change = ''] = /<p class="total">(.*?)<\/p><p class="change">(.*?)<\/p>/s.exec(page) ?? [];
  return `${readPage(total).replace(/\s/g, '')}, ${readPage(change).trim()}`;
}

const PARTS: Readonly<Record<string, string>> = {
  changed: 'Changed lines',
  outside: 'Unchanged lines of changed files',
  untouched: 'Other files',
  unstable: 'Lines that flip without a change',
  removed: 'Removed code',
  unexplained: 'Files whose changes are not known',
};

/** What only the page states: the facts beside the verdict, and how it was worked out. */
export function pageClaims({ json, base, page }: Told): readonly Claim[] {
  const { verdict, patch } = json;
  const facts = new Map(
    [...page.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name = '', value = '']) => [
      name,
      readPage(value),
    ]),
  );
  const text = readPage(page);
  const claim = (what: string, said: string | undefined, known: string): readonly Claim[] =>
    said === undefined ? [] : [{ where: 'page', what, said, known }];
  const ofChange = facts.get('Changed lines');
  return [
    ...claim('all lines', facts.get('All lines'), share(json.covered_lines, json.relevant_lines)),
    ...claim('all branches', facts.get('All branches'), share(json.covered_branches, json.relevant_branches)),
    ...claim(
      'changed lines',
      ofChange && /^\d/.test(ofChange) ? ofChange.split(' ')[0] : undefined,
      patch ? `${percentText(fractionOf(patch))}%` : 'none',
    ),
    ...claim('explanation', ofRule(page, 'By rule'), verdict?.explanation ?? ''),
    ...claim('explanation of the change', ofRule(page, 'Changed lines, by rule'), patch?.verdict?.explanation ?? ''),
    ...claim('rates', / Lines (\d+ of \d+) \(/.exec(text)?.[1], share(json.covered_lines, json.relevant_lines)),
    ...partsClaims(page, json, base),
    ...toCoverClaims(page, patch),
  ];
}

/** The heading, the rows and the last row of where the change comes from. */
function partsClaims(page: string, json: Told['json'], base: Told['base']): readonly Claim[] {
  const [, table] = /<div class="causes">.*?<table>(.*?)<\/table>/s.exec(page) ?? [];
  const size = /Where the ([\d.]+)(?: points)? (?:went|came from)/.exec(readPage(page))?.[1];
  const changeLike = (text: string): string => changeText(fractionOf(json), fractionOf(base), placesOf(text));
  const heading: readonly Claim[] =
    size === undefined
      ? []
      : [{ where: 'page', what: 'change of the heading', said: size, known: changeLike(size).slice(1) }];
  if (table === undefined) return heading;
  const rows = [...table.matchAll(/<tr><td>(.*?)<\/td><td class="num">(.*?)<\/td><\/tr>/gs)];
  const parts = json.cause?.parts ?? [];
  return [
    ...heading,
    ...rows.map(([, cell = '', said = '']): Claim => {
      const name = readPage(cell).trim();
      if (name === 'Change, points')
        return { where: 'page', what: 'change of the table', said, known: changeLike(said) };
      const part = parts.find((one) => (PARTS[one.part] ?? name) === name && (one.part === 'before') === !isPart(name));
      return { where: 'page', what: 'part of the change', said, known: part ? pointsOf(part.points) : 'none' };
    }),
  ];
}

const isPart = (name: string): boolean => Object.values(PARTS).includes(name);
const pointsOf = (points: string): string => points.replace('%', '').replace('-', '−');

/** What is beside the heading of the lines to cover: those of some checks are no count of the patch. */
function toCoverClaims(page: string, patch: Told['json']['patch']): readonly Claim[] {
  const [, section = ''] = /<section id="cover">(.*?)<\/section>/s.exec(page) ?? [];
  const [heading = '', ...articles] = section.split('<article');
  const {
    whose,
    lines = '0',
    branches = '0',
  } = /(?<whose>for [^:]*: )?(?:(?<lines>\d+) lines?)?(?: and )?(?:(?<branches>\d+) branch(?:es)?)?, in \d+ file/.exec(
    readPage(heading),
  )?.groups ?? {};
  if (section === '' || /no changed line is missed/.test(readPage(heading))) return [];
  const below = (pattern: RegExp): number =>
    articles
      .map((one) => pattern.exec(readPage(one))?.groups ?? {})
      .reduce((sum, { covered = 0, all = 0 }) => sum + Number(all) - Number(covered), 0);
  const ofPart = whose !== undefined;
  return [
    {
      where: 'page',
      what: ofPart ? 'lines to cover for a check' : 'lines to cover',
      said: lines,
      known: String(ofPart ? below(/(?<covered>\d+) of (?<all>\d+) changed line/) : patch?.missed_lines),
    },
    {
      where: 'page',
      what: ofPart ? 'branches to cover for a check' : 'branches to cover',
      said: branches,
      known: String(ofPart ? below(/(?<covered>\d+) of (?<all>\d+) branch/) : patch?.missed_branches),
    },
  ];
}

/** The page's files with changed lines, as the JSON's patch has them. */
export function changedFileClaims({ json: { patch }, page }: Told): readonly Claim[] {
  if (!patch) return [];
  const files = new Map(patch.files.map((file) => [file.name, file]));
  return readTable(page, 'Changed files').flatMap(([name = '', percent = '', , , missing = '']): readonly Claim[] => {
    const where = 'page, file';
    const file = files.get(name.split(' ')[0] ?? '');
    const known = fractionOf(file);
    const ranges = (file?.uncovered ?? []).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
    return [
      { where, what: 'changed lines', said: percent, known: known ? `${percentText(known)}%` : '—' },
      ...(file === undefined || /more/.test(missing)
        ? []
        : [
            {
              where,
              what: 'missing lines',
              said: (missing.split(/branch/)[0]?.match(/\d+(?:–\d+)?/g) ?? []).join(),
              known: ranges.join(),
            },
          ]),
    ];
  });
}

function ofRule(page: string, begin: string): string | undefined {
  const said = new RegExp(`<p>${begin} <code>[^<]*</code>: (.*?)</p>`, 's').exec(page)?.[1];
  return said === undefined ? undefined : readPage(said);
}

function share(covered: number | null, all: number | null): string {
  return all === 0 ? 'none' : `${covered} of ${all}`;
}
