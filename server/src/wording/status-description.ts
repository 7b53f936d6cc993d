import type { BasePick } from '../core/builds/build.ts';
import { printable, statusText } from '../core/printable.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { shortBaseRule } from './base-words.ts';
import { capitalize } from './phrases.ts';
import { hasBrief, namesBase, summarize } from './verdict-words.ts';

/** What a commit status says of a verdict, in this order. */
export interface StatusParts {
  readonly verdict: FlagVerdict;
  readonly provisional?: boolean;
  /** How it was chosen is never cut (rule 19); which one it is follows where the verdict does not name it. */
  readonly base?: BasePick | undefined;
  /** That its rules are not those of the file at the base: never cut either. */
  readonly rules?: string | undefined;
  /** It is compared with a build before the base, which its words name. */
  readonly looksPastBase?: boolean | undefined;
  /** What may follow, the best choice first: one only where it fits whole. */
  readonly extras?: readonly (readonly string[])[];
  /** Code points; absent: all that a status may have. */
  readonly room?: number;
}

/** How much is made of the room: `names` is what a build's number or a branch may have, in code points. */
interface Wording {
  readonly words: 'full' | 'brief' | 'fewest';
  readonly names: number;
}

/** From the one that says most to the one that needs least. */
const WORDINGS: readonly Wording[] = [
  { words: 'full', names: Number.POSITIVE_INFINITY },
  { words: 'full', names: 40 },
  { words: 'full', names: 20 },
  { words: 'brief', names: 20 },
  { words: 'brief', names: 10 },
  { words: 'fewest', names: 5 },
];

/**
 * No name is made shorter than this for the sake of what may as well be left out, and words only of a failing verdict:
 * the rest says how to fix it.
 */
const READABLE_NAME = 20;

/**
 * One line of at most `room` code points, as rule 24 shows it. What follows the brackets gives way first, then
 * names, then words. The rule that decided, both numbers, the marks and how the base was chosen stay whole.
 */
export function describeStatus(parts: StatusParts): string {
  const { extras = [], verdict, room = USUAL_TERMS.maxDescription } = parts;
  const wordings = WORDINGS.filter(({ words }) => words === 'full' || hasBrief(verdict));
  const roomy = wordings.filter(
    ({ words, names }) => names >= READABLE_NAME && (words === 'full' || verdict.state === 'failure'),
  );
  const tries = [...extras, []].flatMap((some) =>
    (some.length === 0 ? wordings : roomy).map((wording) => [wording, some] as const),
  );
  for (const [wording, some] of tries) {
    const { summary, rest } = write(parts, wording);
    const sentences = [summary + rest, ...(some.length === 0 ? [] : [capitalize(some.join('; '))])];
    const description = printable(sentences.join('. '), Number.POSITIVE_INFINITY);
    if (lengthOf(description) <= room) return statusText(description, room);
  }
  const { summary, rest } = write(parts, wordings.at(-1) as Wording);
  return statusText(printable(summary, room - lengthOf(rest)) + rest, room);
}

function write(parts: StatusParts, wording: Wording): { readonly summary: string; readonly rest: string } {
  const { verdict, provisional = false, base, rules, looksPastBase } = parts;
  const name = (number: string): string => printable(number, wording.names);
  const notes = [
    ...(verdict.informational === true && verdict.state !== 'success' ? ['informational'] : []),
    ...(provisional ? ['provisional'] : []),
    ...(rules === undefined ? [] : [rules]),
    ...(base === undefined ? [] : [baseNote(base, namesBase(verdict), wording)]),
  ];
  const inBrackets = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const [brief, tight] = [wording.words !== 'full', wording.words === 'fewest'];
  const summary = summarize(verdict, { brief, tight, name, baseElsewhere: looksPastBase !== true });
  return { summary: printable(summary, Number.POSITIVE_INFINITY), rest: inBrackets };
}

/** A base is named by its commit, as people know it from git. */
function baseNote(base: BasePick, isNamed: boolean, { words, names }: Wording): string {
  const build = base.commit?.slice(0, SHORT_SHA) ?? `build ${printable(base.number, names)}`;
  const rule = shortBaseRule({ ...base, branch: base.branch && printable(base.branch, names) }, words === 'fewest');
  return isNamed ? `base: ${rule}` : `base ${build}, ${rule}`;
}

/** As git shortens a commit. */
const SHORT_SHA = 7;

function lengthOf(text: string): number {
  return [...text].length;
}
