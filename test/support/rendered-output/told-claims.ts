import type { BuildJson } from '@coverage/shared';
import { OF_CAUSE, OF_CHANGE, OF_REMOVED_CODE } from './change-patterns.ts';
import { commentClaims } from './comment-claims.ts';
import { otherNumberClaims } from './other-numbers.ts';
import { overallClaims } from './overall-claims.ts';
import { pageClaims, readBand, readTotal } from './page-claims.ts';
import { partClaims } from './part-claims.ts';
import {
  type Claim,
  changeText,
  fractionOf,
  percentText,
  placesOf,
  readPage,
  scaled,
  type Text,
  type Told,
} from './told.ts';

/** What status, comment, page and JSON say otherwise than the JSON's own counts; none where nothing contradicts. */
export function findContradictions(told: Told): readonly Claim[] {
  return claimsIn(told).filter(({ said, known }) => said !== known);
}

/** Every number and state that status, comment, page and JSON state of a close. */
export function claimsIn(told: Told): readonly Claim[] {
  return [
    ...totalClaims(told),
    ...overallClaims(told),
    ...changedLineClaims(told),
    ...remedyClaims(told),
    ...causeClaims(told),
    ...otherNumberClaims(told, textsOfBuild(told)),
    ...partClaims(told),
    ...pageClaims(told),
    ...commentClaims(told),
  ];
}

/** Sentences about the build as a whole: its flags' and its changed lines' own verdicts have other numbers. */
function textsOfBuild({ json, statuses, comment, page }: Told): readonly Text[] {
  const [, head = '', sentence = ''] = comment.split('\n\n').filter((part) => !part.startsWith('|'));
  // Where the total is no failing check, what is said below the heading is of the first that is.
  const verdictLine = /^### \S+ Coverage: |would fail$/.test(head) ? '' : sentence;
  return [
    ['status', statuses.coverage ?? ''],
    ['explanation', json.verdict?.explanation ?? ''],
    ['cause', json.cause?.sentence ?? ''],
    ['comment', verdictLine.replaceAll('\\', '')],
    ['page', readBand(page)],
  ];
}

/** Every match of a pattern in some texts, as a claim per group. */
function claimsOf(texts: readonly Text[], pattern: RegExp, known: Readonly<Record<string, string>>): readonly Claim[] {
  return texts.flatMap(([where, text]) =>
    [...text.matchAll(pattern)].flatMap(({ groups = {} }) =>
      Object.entries(groups)
        .filter(([what, said]) => said !== undefined && what in known)
        .map(([what, said]) => ({
          where,
          what,
          said: said as string,
          known: known[what] as string,
          by: pattern.source,
        })),
    ),
  );
}

const NUMBER = '\\d+\\.\\d+';
const CHANGE = `unchanged|[−+]${NUMBER}`;

function totalClaims({ json, base, statuses, comment, page }: Told): readonly Claim[] {
  const [now, before] = [fractionOf(json), fractionOf(base)];
  const texts: readonly Text[] = [
    ['status', (statuses.coverage ?? '').replace(/^\w+: /, '')],
    ['explanation', (json.verdict?.explanation ?? '').replace(/^Coverage is /, '')],
    ['comment', /^### \S+ Coverage(?:: .* · total)? (\d.*)$/m.exec(comment)?.[1]?.replace(/ \((.*?)\)/, ', $1') ?? ''],
    ['page', readTotal(page)],
  ];
  const pattern = new RegExp(
    `^(?<total>${NUMBER})%(?:[ ,]*(?<change>${CHANGE})(?: points)?)?(?: from (?<before>${NUMBER})%)?`,
    'gu',
  );
  return texts.flatMap((text) => {
    const said = [...text[1].matchAll(pattern)][0]?.groups?.change;
    const change = said === undefined ? '' : changeText(now, before, placesOf(said));
    return claimsOf([text], pattern, { total: percentText(now), change, before: percentText(before) });
  });
}

/** What the JSON has of the changed lines, by the names that the patterns below give them. */
function patchNumbers(patch: NonNullable<BuildJson['patch']>): Readonly<Record<string, string>> {
  return {
    covered: String(patch.covered_lines),
    lines: String(patch.relevant_lines),
    missed: String(patch.missed_lines),
    missedCode: String(patch.missed_lines + patch.missed_branches),
    coveredBranches: String(patch.covered_branches),
    branches: String(patch.relevant_branches),
    missedBranches: String(patch.missed_branches),
    percent: percentText(fractionOf(patch)),
    leftOut: String(patch.not_measured.lines),
    files: String(patch.not_measured.files),
    none: patch.missed_lines + patch.missed_branches === 0 ? 'no changed line is missed' : 'some are missed',
  };
}

/** Wherever changed lines are counted they are those of the patch. */
function changedLineClaims(told: Told): readonly Claim[] {
  const { json, statuses, comment, page } = told;
  if (!json.patch) return [];
  const known = patchNumbers(json.patch);
  const everywhere: readonly Text[] = [
    ['status', statuses.coverage ?? ''],
    ['status of the patch', statuses['coverage/patch'] ?? ''],
    ['comment', comment.replaceAll('\\', '')],
    ['page', readPage(page)],
    ['explanation', json.patch.verdict?.explanation ?? ''],
  ];
  const check: Text = ['check run', statuses['check run'] ?? ''];
  return [
    ...OF_CHANGE.flatMap((pattern) => claimsOf(everywhere, pattern, known)),
    ...[...OF_CAUSE, ...OF_REMOVED_CODE].flatMap((pattern) => claimsOf(textsOfBuild(told), pattern, known)),
    ...claimsOf([check], /^(?<missed>\d+) changed lines? (?:is|are) not/g, known),
  ];
}

/** What would pass is one number, and of changed lines no more than are missed. */
function remedyClaims(told: Told): readonly Claim[] {
  const pattern =
    /cover(?:ing)? (?:all )?(?<count>\d+)(?: of the \d+)? (?:more|missed)(?<changed> changed)?(?![^.]*to reach)/gi;
  const known = [...(told.json.cause?.sentence ?? '').matchAll(pattern)][0]?.groups?.count ?? 'none';
  const { patch } = told.json;
  const missed = patch ? patch.missed_lines + patch.missed_branches : 0;
  const ofChange = textsOfBuild(told).flatMap(([where, text]) =>
    [...text.matchAll(pattern)].flatMap(({ groups }): Claim[] => {
      if (groups?.changed === undefined || Number(groups.count) <= missed) return [];
      return [{ where, what: 'changed lines to cover', said: groups.count ?? '', known: `at most ${missed}` }];
    }),
  );
  const patchTexts: readonly Text[] = [['status of the patch', told.statuses['coverage/patch'] ?? '']];
  const ofPatch = [...(patch?.verdict?.explanation ?? '').matchAll(pattern)][0]?.groups?.count ?? 'none';
  return [
    ...claimsOf(textsOfBuild(told), pattern, { count: known }),
    ...claimsOf(patchTexts, pattern, { count: ofPatch }),
    ...ofChange,
  ];
}

/** The parts of the cause add up to the change, and what is said of them are their own numbers. */
function causeClaims(told: Told): readonly Claim[] {
  const { json, base } = told;
  const parts = json.cause?.parts ?? [];
  if (parts.length === 0) return [];
  const places = placesOf(parts[0]?.points.replace('%', '') ?? '');
  const change = changeText(fractionOf(json), fractionOf(base), places);
  const sum = parts.reduce((all, { points }) => all + scaled(points), 0n);
  const before = parts.find(({ part }) => part === 'before');
  const own = sum - scaled(before?.points ?? '0');
  const sizeOf = (amount: bigint): string => plain(amount, places);
  const counts = {
    drop: change.slice(1),
    before: sizeOf(scaled(before?.points ?? '0')),
    own: sizeOf(own),
    commits: String(before?.commits ?? json.base?.commits_away ?? 'none'),
  };
  const texts = textsOfBuild(told);
  const who = '(?:(?<commits>\\d+) commits?|other commits)';
  const came = `(?<before>${NUMBER})(?: points)? (?:came|were (?:gained|lost)) with ${who}`;
  return [
    {
      where: 'cause',
      what: 'sum of the parts',
      said: String(sum),
      known: change === 'unchanged' ? '0' : String(scaled(change)),
    },
    ...claimsOf(texts, new RegExp(`(?:[Oo]f the drop of (?<drop>${NUMBER}) points, )?${came}`, 'g'), counts),
    ...claimsOf(texts, new RegExp(`and (?<own>${NUMBER}) (?:were lost|came back) with this change`, 'g'), counts),
    ...(before?.commits === undefined || before.commits === null
      ? []
      : [
          {
            where: 'cause',
            what: 'commits',
            said: String(before.commits),
            known: String(json.base?.commits_away),
          },
        ]),
  ];
}

function plain(amount: bigint, places: number): string {
  const size = (amount < 0n ? -amount : amount).toString().padStart(31, '0');
  return `${size.slice(0, -30)}.${size.slice(-30).slice(0, places)}`;
}
