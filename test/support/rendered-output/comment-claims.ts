import { type Claim, changeText, fractionOf, percentText, placesOf, type Told } from './told.ts';

const COUNTS =
  /^(?<lines>\d+ of \d+) lines?(?: and (?<branches>\d+ of \d+) branch(?:es)?)?(?:, from (?<before>\d+\.\d+)%)?/m;

/** What only the comment states: the counts, and where the change went. */
export function commentClaims({ json, base, comment }: Told): readonly Claim[] {
  const known: Readonly<Record<string, string>> = {
    lines: `${json.covered_lines} of ${json.relevant_lines}`,
    branches: `${json.covered_branches} of ${json.relevant_branches}`,
    before: percentText(fractionOf(base)),
  };
  const counts = Object.entries(COUNTS.exec(comment)?.groups ?? {}).filter(([, said]) => said !== undefined);
  const points = (json.cause?.parts ?? []).map((part) => part.points.replace('%', '').replace('-', '−'));
  const [, size, parts = ''] = /\*\*Where the ([\d.]+)(?: points)? (?:went|came from):\*\* (.*)/.exec(comment) ?? [];
  return [
    ...counts.map(([what, said]) => ({ where: 'comment', what: `counts, ${what}`, said, known: known[what] ?? '' })),
    ...(size === undefined
      ? []
      : [
          {
            where: 'comment',
            what: 'change of where it went',
            said: size,
            known: changeText(fractionOf(json), fractionOf(base), placesOf(size)).slice(1),
          },
          {
            where: 'comment',
            what: 'parts of the change',
            said: (parts.match(/[−+]\d+\.\d+/g) ?? []).toSorted().join(),
            known: points.toSorted().join(),
          },
        ]),
  ];
}
