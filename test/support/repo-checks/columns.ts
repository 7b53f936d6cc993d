// Lines over 120 columns.

export const MAX_COLUMNS = 120;

/** An address that no line break can shorten. */
const UNBREAKABLE = /https?:\/\/\S{60,}/;
/** Recorded output, which a test compares. */
const SNAPSHOT = /toMatchInlineSnapshot\(`(?:[^`\\]|\\.)*`\)/gs;

/** How many columns a line has if they are too many; undefined if they are not, or if no break can shorten it. */
export function findExcess(line: string): number | undefined {
  const columns = [...line].length;
  return columns > MAX_COLUMNS && !UNBREAKABLE.test(line) ? columns : undefined;
}

/** A text without the output that its tests recorded. */
export function withoutSnapshots(text: string): string {
  return text.replace(SNAPSHOT, (recorded) => recorded.replaceAll(/[^\n]/g, ''));
}
