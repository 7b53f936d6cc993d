import { type Claim, changeText, fractionOf, percentText, placesOf, type Text, type Told } from './told.ts';

const NOTHING = /\b0 of 0 .*|(?<![.\d])0 (?:more|lines?|covered|changed) .*/g;

/** What else stands there of percentages and points is one of the known ones; thresholds are the repo's. */
export function otherNumberClaims(told: Told, texts: readonly Text[]): readonly Claim[] {
  const { json, base } = told;
  const known = new Set([json, base, json.patch ?? undefined].map((counts) => `${percentText(fractionOf(counts))}%`));
  const points = (json.cause?.parts ?? []).map((part) => part.points.replace(/^-/, '−').replace('%', ''));
  const isChange = (text: string): boolean =>
    text === changeText(fractionOf(json), fractionOf(base), placesOf(text)) || points.includes(text);
  return texts.flatMap(([where, text]) => {
    const said = text.replace(/(?:minimum of|minimum|below|drop of|than|reach) \d[\d.]*%?/g, '');
    return [
      ...(text.match(NOTHING) ?? []).map((one) => ({
        where,
        what: 'nothing at all',
        said: one,
        known: 'something',
      })),
      ...(said.match(/\d+\.\d+%/g) ?? [])
        .filter((one) => !known.has(one))
        .map((one) => ({ where, what: 'another percentage', said: one, known: [...known].join(', ') })),
      ...(said.match(/[−+]\d+\.\d+/g) ?? [])
        .filter((one) => !isChange(one))
        .map((one) => ({ where, what: 'other points', said: one, known: points.join(', ') })),
    ];
  });
}
