// Searches sources and docs for words that went, for long lines, and for comments that are essays.
// Usage: node scripts/check-words.ts [path ...]; without a path everything is searched.
import { readFileSync } from 'node:fs';
import { type Finding, listTexts, report } from './checked-texts.ts';

/** A word that went, what is said today, and where the word is ordinary English or a stored name. */
interface GoneWord {
  readonly name: string;
  readonly word: RegExp;
  readonly instead: string;
  /** A line that matches is left alone. */
  readonly except?: RegExp;
}

/** The webhook answers `"heard"`, and MongoDB stores `owed`, `owedSince` and `wants`: those names stay. */
const GONE: readonly GoneWord[] = [
  {
    name: 'hear',
    word: /\b(?:hears?|heard)\b/i,
    instead: 'say what happened: received, handled',
    except: /['"]heard['"]/,
  },
  {
    name: 'patience',
    word: /\b(?:patience|patient(?:ly)?|outofpatience|askpatiently)\b/i,
    instead: 'deadline, retryUntilDeadline',
  },
  { name: 'shut out', word: /\bshut ?out\b/i, instead: 'accessDenied' },
  { name: 'let nobody in', word: /\blet(?:s|ting)? nobody in\b|\bto let us in\b/i, instead: 'denies access' },
  { name: 'entrance', word: /\bFOR_ENTRANCE\b|\bentrance\b/, instead: 'backoff, access' },
  { name: 'growing pause', word: /\bgrowing ?pauses?\b/i, instead: 'backoff, growing delay' },
  { name: 'lacking', word: /\b(?:is)?lacking(?:flags|of)?\b/i, instead: 'unavailable, missing' },
  { name: 'speaker', word: /\bspeakers?\b|\bspeaks ?before\b/i, instead: 'StatusOwner, hasPrecedence' },
  { name: 'dependant', word: /\btell ?dependants\b|\bdependants?\b/i, instead: 'reevaluateDependents, dependents' },
  { name: 'wants', word: /\bwants(?:Of|That)\b|\bwanting\b/, instead: 'missingBases' },
  {
    name: 'owing',
    word: /\b(?:owing|owed)\b/i,
    instead: 'pendingEffects',
    except: /['"`.]owed\b|\bowed[?:,]|owedSince/,
  },
  { name: 'machinery', word: /\bmachinery\b/i, instead: 'services' },
  { name: 'surroundings', word: /\bsurroundings\b/i, instead: 'runtime, context' },
  {
    name: 'means',
    word: /\b(?:[a-z]+Means|[A-Z][a-z]+Means|means(?=\s*[:.=]\s|[).]| \}))/,
    instead: 'deps',
    except: /\bby (?:no )?means\b/,
  },
  { name: 'takeIn', word: /\btakeIn\b/, instead: 'applyJob' },
  { name: 'lookAgain', word: /\blook ?again\b|\bLOOK_AGAIN\b/i, instead: 'recheckBase' },
  { name: 'shown text', word: /\b(?:find)?shown ?text\b/i, instead: 'findAnnotationDiff' },
  { name: 'untold', word: /\buntold\b/i, instead: 'UNKNOWN_DIFF, unknown' },
  { name: 'marked lines', word: /\bmarked ?lines\b/i, instead: 'annotations' },
  {
    name: 'doubt',
    word: /\b(?:find)?(?:run|name|commits)?doubts?(?:run|commits|s_listed)?\b|\bdoubtCommits\b/i,
    instead: 'findTrustProblem',
  },
  { name: 'regain', word: /\bregain(?:s|ed|access)?\b|\blose\(/i, instead: 'restoreAccess, markAccessLost' },
  { name: 'seeRepo', word: /\bseeRepo\b/, instead: 'refreshRepo' },
  { name: 'most asked', word: /\bmost[_ ]?asked\b/i, instead: 'MAX_LOOKUPS' },
  { name: 'anew', word: /\banew\b/i, instead: 'again' },
  { name: 'in vain', word: /\bin vain\b/i, instead: 'without an answer, without success' },
];

const MAX_COLUMNS = 120;
const MAX_PARAGRAPH = 300;

/** An address that no line break can shorten. */
const UNBREAKABLE = /https?:\/\/\S{60,}/;
/** Recorded output, which a test compares. */
const SNAPSHOT = /toMatchInlineSnapshot\(`[^`]*`\)/g;

interface Comment {
  readonly line: number;
  readonly text: string;
}

const findings: Finding[] = [];
let lines = 0;

function checkWords(name: string, line: string, number: number): void {
  for (const { name: gone, word, instead, except } of GONE) {
    const found = word.exec(line);
    if (found === null || except?.test(line) === true) continue;
    findings.push({ kind: `"${gone}" (say: ${instead})`, place: `${name}:${number}`, what: found[0] });
  }
}

function checkLength(name: string, line: string, number: number): void {
  const columns = [...line].length;
  if (columns > MAX_COLUMNS && !UNBREAKABLE.test(line))
    findings.push({ kind: `lines over ${MAX_COLUMNS} columns`, place: `${name}:${number}`, what: String(columns) });
}

/** Comments, split into paragraphs: an empty line, a list item and a tag begin another one. */
function paragraphs(text: string): readonly Comment[] {
  const found: { line: number; words: string[] }[] = [];
  let isInside = false;
  let isOpen = false;
  text.split('\n').forEach((line, index) => {
    const begins = /^\s*\/\*/.test(line);
    const isLineComment = /^\s*\/\//.test(line);
    if (begins) isInside = true;
    if (!isInside && !isLineComment) {
      isOpen = false;
      return;
    }
    const words = line
      .replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/)?/, '')
      .replace(/\*\/\s*$/, '')
      .trim();
    if (begins || words === '' || /^(?:[-*@]|\d+\.)/.test(words)) isOpen = false;
    if (words !== '') {
      if (!isOpen) found.push({ line: index + 1, words: [] });
      found.at(-1)?.words.push(words);
      isOpen = true;
    }
    if (isInside && line.includes('*/')) {
      isInside = false;
      isOpen = false;
    }
  });
  return found.map((one) => ({ line: one.line, text: one.words.join(' ') }));
}

for (const { name, path, isSource } of listTexts(process.argv.slice(2))) {
  // This list names every word that went.
  if (name === 'scripts/check-words.ts') continue;
  const text = readFileSync(path, 'utf8');
  const written = text.replace(SNAPSHOT, (recorded) => recorded.replaceAll(/[^\n]/g, ''));
  for (const [index, line] of written.split('\n').entries()) {
    lines += 1;
    checkWords(name, line, index + 1);
    checkLength(name, line, index + 1);
  }
  for (const { line, text: said } of isSource ? paragraphs(text) : []) {
    if (said.length <= MAX_PARAGRAPH) continue;
    const kind = `comments over ${MAX_PARAGRAPH} characters`;
    findings.push({ kind, place: `${name}:${line}`, what: String(said.length) });
  }
}

report({ subject: 'words', seen: lines, unit: 'lines', least: 100, findings });
