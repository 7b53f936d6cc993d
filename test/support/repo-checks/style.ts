// What a line or a comment may not be: a word that went, over 120 columns, an essay.

/** A word that went, what is said today, and where the word is ordinary English or a stored name. */
interface GoneWord {
  readonly name: string;
  readonly word: RegExp;
  readonly instead: string;
  /** A line that matches is left alone. */
  readonly except?: RegExp;
}

/** The webhook answers `"heard"`, MongoDB stores `owed` and `wants`, 0.1.0 stored `speaker`: those names stay. */
const GONE: readonly GoneWord[] = [
  { name: 'hear', word: /\b(?:[Hh]ears?|heard)(?:\b|[A-Z])/, instead: 'received, handled', except: /['"]heard['"]/ },
  { name: 'Heard', word: /\bHeard\w*/, instead: 'EventOutcome' },
  { name: 'patience', word: /\b\w*patien(?:ce|t|tly)\b/i, instead: 'deadline, retryUntilDeadline' },
  { name: 'shut out', word: /\bshut ?out\b/i, instead: 'accessDenied' },
  { name: 'let nobody in', word: /\blet(?:s|ting)? nobody in\b|\blet us in\b/i, instead: 'denies access' },
  { name: 'entrance', word: /\b(?:for_)?entrance\b/i, instead: 'access' },
  { name: 'growing pause', word: /\bgrowing ?pauses?\b/i, instead: 'backoff, growing delay' },
  { name: 'lacking', word: /\b(?:is)?lacking(?:flags|of)?\b/i, instead: 'unavailable, missing' },
  {
    name: 'speaker',
    word: /\b\w*speakers?\b|\bspeaks ?before\b/i,
    instead: 'StatusOwner, hasPrecedence',
    except: /\bspeaker['?:]/,
  },
  { name: 'dependant', word: /\b\w*dependants?\b/i, instead: 'reevaluateDependents, dependents' },
  { name: 'wants', word: /\bwants(?:Of|That)\b|\w+Wants\b|\bwanting\b/, instead: 'missingBases' },
  {
    name: 'owing',
    word: /\b(?:[Oo]wing|[Oo]wed)\b|[a-z](?:Owing|Owed)\b/,
    instead: 'pendingEffects',
    except: /['"`.$]owed\b|\bowed[?:,]|owedSince/,
  },
  { name: 'machinery', word: /\bmachinery\b/i, instead: 'services' },
  { name: 'surroundings', word: /\b\w*surroundings\b/i, instead: 'runtime, context' },
  { name: 'means', word: /\b[A-Za-z][a-z]+Means\b|\bmeans(?=\s*[:.=]\s|[).]| \})/, instead: 'deps' },
  { name: 'takeIn', word: /\btakeIn\b/, instead: 'applyJob' },
  { name: 'lookAgain', word: /\blook[ _]?again\b/i, instead: 'recheckBase' },
  { name: 'shown text', word: /\b(?:find)?shown ?text\b/i, instead: 'findAnnotationDiff' },
  { name: 'untold', word: /\buntold\b/i, instead: 'UNKNOWN_DIFF, unknown' },
  { name: 'marked lines', word: /\bmarked[ -]?lines\b/i, instead: 'annotations' },
  { name: 'doubt', word: /\b\w*doubt\w*/i, instead: 'findTrustProblem, problem' },
  { name: 'regain', word: /\bregain(?:s|ed|access)?\b|\blose\(/i, instead: 'restoreAccess, markAccessLost' },
  { name: 'seeRepo', word: /\bseeRepo\b/, instead: 'refreshRepo' },
  { name: 'most asked', word: /\bmost[_ ]?asked\b/i, instead: 'MAX_LOOKUPS' },
  { name: 'anew', word: /\b\w*anew\b/i, instead: 'again' },
  { name: 'in vain', word: /\bin vain\b|\bvain\b/i, instead: 'without an answer, without success' },
];

export const MAX_COLUMNS = 120;
export const MAX_PARAGRAPH = 300;

/** An address that no line break can shorten. */
const UNBREAKABLE = /https?:\/\/\S{60,}/;
/** Recorded output, which a test compares. */
const SNAPSHOT = /toMatchInlineSnapshot\(`(?:[^`\\]|\\.)*`\)/gs;

/** The words of a line that went, with what is said instead. */
export function findGoneWords(
  line: string,
): readonly { readonly name: string; readonly found: string; readonly instead: string }[] {
  return GONE.flatMap(({ name, word, instead, except }) => {
    const found = word.exec(line);
    return found === null || except?.test(line) === true ? [] : [{ name, found: found[0], instead }];
  });
}

/** A line's columns where they are too many; undefined where they are not, or cannot be fewer. */
export function findExcess(line: string): number | undefined {
  const columns = [...line].length;
  return columns > MAX_COLUMNS && !UNBREAKABLE.test(line) ? columns : undefined;
}

/** A text without the output that its tests recorded. */
export function withoutSnapshots(text: string): string {
  return text.replace(SNAPSHOT, (recorded) => recorded.replaceAll(/[^\n]/g, ''));
}

export interface Paragraph {
  readonly line: number;
  readonly text: string;
}

/** The paragraphs of all comments: an empty line, a list item and a tag begin another one. */
export function readParagraphs(source: string): readonly Paragraph[] {
  const found: { line: number; words: string[] }[] = [];
  let isInside = false;
  let isOpen = false;
  for (const [index, line] of source.split('\n').entries()) {
    const begins = /^\s*\/\*/.test(line);
    isInside ||= begins;
    const isComment = isInside || /^\s*\/\//.test(line);
    const words = isComment ? wordsOf(line) : '';
    if (begins || words === '' || /^(?:[-*@]|\d+\.)/.test(words)) isOpen = false;
    if (words !== '' && !isOpen) found.push({ line: index + 1, words: [] });
    if (words !== '') found.at(-1)?.words.push(words);
    if (isInside && line.includes('*/')) isInside = false;
    isOpen = words !== '' && !line.includes('*/');
  }
  return found.map(({ line, words }) => ({ line, text: words.join(' ') }));
}

function wordsOf(line: string): string {
  return line
    .replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/)?/, '')
    .replace(/\*\/\s*$/, '')
    .trim();
}
