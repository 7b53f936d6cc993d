// What sources and docs cite: "rule N" of docs/rules.md, files with their headings, decisions (ADR N), and links.
import { dirname, join } from 'node:path/posix';

/** What can be cited. Names are from the root of the repo on, with slashes. */
export interface Repo {
  exists(name: string): boolean;
  /** Whether a source is called so, or its path ends so. */
  hasSource(path: string): boolean;
  /** For a document; empty if there is none. */
  headingsOf(name: string): readonly string[];
  /** Numbers of the decisions in docs/decisions.md. */
  readonly decisions: ReadonlySet<number>;
}

export interface Citing {
  readonly name: string;
  readonly text: string;
  readonly isSource: boolean;
}

export interface Citation {
  readonly isThere: boolean;
  readonly line: number;
  readonly cited: string;
}

/** A citation with the place in the text where it begins. */
interface Found extends Omit<Citation, 'line'> {
  readonly index: number;
}

/** `rule 3`, `rules 12 and 13`, `rules 6 to 8`, `rules 18, 20 and 30`. */
const RULES = /\brules?\s+(\d+)((?:,\s+\d+)*)(?:\s+(to|and|or)\s+(\d+))?/gi;
/** A document's name, and perhaps one of its headings in quotes. */
const FILES = /(?<![\w/.-])((?:[\w-]+\/)*[\w-]+\.md)(?:,?\s+"([^"]+)")?/g;
/** A source by its path; what is quoted is an example. */
const SOURCES = /(?<![\w/.`'"@-])(?:[\w-]+\/)+[\w.-]+\.tsx?\b/g;
const DECISIONS = /\bADR\s+(\d+)/g;
/** What is not in the repo, though its name has no ending. */
const ELSEWHERE = /\bdesign\s+rule\s+\d+|\bshared\/(?:spec|design|pages)\b/gi;
const LINKS = /\[[^\]]*\]\(([^()\s]+)\)/g;
/** Paths in docs, as code. */
const PATHS = /`((?:docs|server|action|shared|test|scripts|bench)\/[\w./-]+)`/g;

/** Every citation in a text, with whether what it cites is there. */
export function findCitations({ name, text, isSource }: Citing, repo: Repo): readonly Citation[] {
  const found = [
    ...findRules(unfold(text), repo),
    ...(isSource ? ofSource(name, text, repo) : ofDocument(name, text, repo)),
  ];
  return found.map(({ index, ...citation }) => ({ ...citation, line: text.slice(0, index).split('\n').length }));
}

/** Documents are cited by comments and by titles of tests: other texts of a source are no citations. */
function ofSource(name: string, text: string, repo: Repo): readonly Found[] {
  const citing = text
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\/?\*)|\s\/\/ |\b(?:describe|test|it)(?:\.\w+)*\(/.test(line) ? line : blank(line)))
    .join('\n');
  // Tests describe files that are none of ours.
  const sources = name.includes('.test.') ? [] : [...citing.matchAll(SOURCES)];
  const ofSources = sources.map(({ 0: cited, index }) => ({ isThere: repo.hasSource(cited), index, cited }));
  return [...findFiles(unfold(citing), name, repo), ...ofSources];
}

function ofDocument(name: string, text: string, repo: Repo): readonly Found[] {
  const prose = withoutFences(text);
  return [...findFiles(prose.replace(LINKS, blank), name, repo), ...findLinks(prose, name, repo)];
}

function findRules(text: string, repo: Repo): readonly Found[] {
  const headings = repo.headingsOf('docs/rules.md');
  return [...text.matchAll(RULES)].flatMap(({ 0: cited, 1: first, 2: more = '', 3: joint, 4: last, index }) => {
    const stated = [first, ...more.split(',').slice(1), last].filter((one) => one !== undefined).map(Number);
    const [from = 0, to = from] = stated.slice(-2);
    const between = joint === 'to' ? Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step) : [];
    return [...new Set([...stated, ...between])].map((number) => ({
      isThere: headings.some((heading) => heading.startsWith(`Rule ${number}: `)),
      index,
      cited: `${tidy(cited)} (no heading "Rule ${number}: …" in docs/rules.md)`,
    }));
  });
}

function findFiles(text: string, name: string, repo: Repo): readonly Found[] {
  const files = [...text.matchAll(FILES)].map(({ 0: cited, 1: file = '', 2: heading, index }) => {
    const document = findDocument(file, name, repo);
    const isThere = document !== undefined && (heading === undefined || hasHeading(document, heading, repo));
    return { isThere, index, cited: tidy(cited) };
  });
  const decisions = [...text.matchAll(DECISIONS)].map(({ 0: cited, 1: number, index }) => ({
    isThere: repo.decisions.has(Number(number)),
    index,
    cited: tidy(cited),
  }));
  const elsewhere = [...text.matchAll(ELSEWHERE)].map(({ 0: cited, index }) => ({
    isThere: false,
    index,
    cited: tidy(cited),
  }));
  return [...files, ...decisions, ...elsewhere];
}

/** Beside the one that cites it, at the root, or in docs. */
function findDocument(cited: string, from: string, repo: Repo): string | undefined {
  return [join(dirname(from), cited), cited, join('docs', cited)].find((name) => repo.exists(name));
}

function hasHeading(document: string, heading: string, repo: Repo): boolean {
  const plain = (text: string): string => tidy(text).replaceAll('`', '').toLowerCase();
  return repo.headingsOf(document).some((one) => plain(one) === plain(heading));
}

function findLinks(text: string, name: string, repo: Repo): readonly Found[] {
  const links = [...text.matchAll(LINKS)]
    .filter(([, target = '']) => !/^[a-z]+:/i.test(target))
    .map(({ 0: cited, 1: target = '', index }) => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? name : join(dirname(name), file);
      const isThere = repo.exists(linked) && (anchor === undefined || anchorsOf(linked, repo).includes(anchor));
      return { isThere, index, cited };
    });
  const paths = [...text.matchAll(PATHS)].map(({ 1: path = '', index }) => ({
    isThere: repo.exists(path),
    index,
    cited: path,
  }));
  return [...links, ...paths];
}

/** As GitHub makes them: lower case, only letters, digits, blanks and hyphens, blanks as hyphens. */
function anchorsOf(document: string, repo: Repo): readonly string[] {
  return repo.headingsOf(document).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The headings of a Markdown text, without their marks. */
export function readHeadings(text: string): readonly string[] {
  return [...withoutFences(text).matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading = '']) => heading);
}

/** Where a comment breaks a citation over two lines, the marks at the start of the second are blanks. */
function unfold(text: string): string {
  return text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)/g, (mark) => mark.replace(/[*/]/g, ' '));
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, blank);
}

/** Blanks in place of a text, so that what follows keeps its line. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

function tidy(cited: string): string {
  return cited.replaceAll(/\s+/g, ' ');
}
