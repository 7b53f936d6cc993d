/** Widths in Verdana, which badges are set in, in thousandths of the font size. */
const WIDTHS: readonly (readonly [thousandths: number, characters: string])[] = [
  [270, "'ijl"],
  [350, ' frt,.`'],
  [410, 'I!'],
  [454, 'J()-/:;[\\]"|'],
  [525, 'csz?'],
  [595, 'aekvxyL'],
  [630, 'bdghnopquEFPTY$*_{}0123456789'],
  [690, 'ABCKRSVXZ'],
  [750, 'DGHNU&'],
  [790, 'OQ'],
  [818, '#+<=>^~w'],
  [845, 'M'],
  [985, 'Wm@'],
  [1076, '%'],
];

const BY_CHARACTER: ReadonlyMap<string, number> = new Map(
  WIDTHS.flatMap(([width, characters]) => [...characters].map((character) => [character, width] as const)),
);

/** Letters of other scripts; from Hangul on characters are mostly square. */
const OTHER = 700;
const SQUARE = 1_050;
const FIRST_SQUARE = 0x1100;

/**
 * About how wide a text is at a font size in pixels: the SVG states it, so that a reader without the font sees no
 * overlap.
 */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0;
  for (const character of text) thousandths += BY_CHARACTER.get(character) ?? widthBySize(character);
  return (thousandths * fontSize) / 1_000;
}

function widthBySize(character: string): number {
  return (character.codePointAt(0) ?? 0) >= FIRST_SQUARE ? SQUARE : OTHER;
}
