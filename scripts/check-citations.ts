// Checks that what sources and docs cite stands in the repo: "rule N" in docs/rules.md, files with their headings,
// decisions (ADR N), and the links of the docs.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Finding, listTexts, ROOT, report } from './checked-texts.ts';

const RULES = /\brules?\s+(\d+)((?:,\s+\d+)*)(?:\s+(to|and|or)\s+(\d+))?/gi;
/** `wire.md "Close"`, `docs/api.md`, `(rules.md, "Verdict")`. */
const FILES = /(?<![\w/.-])((?:[\w-]+\/)*[\w-]+\.md)(?:,?\s+"([^"]+)")?/g;
const DECISIONS = /\bADR\s+(\d+)/g;
/** Citations of what is not in the repo and has no ending. */
const ELSEWHERE = /\bdesign\s+rule\s+\d+|\bshared\/(?:spec|design|pages)\b/gi;
const LINKS = /\[[^\]]*\]\(([^()\s]+)\)/g;
/** Paths in docs, as code. */
const PATHS = /`((?:docs|server|action|shared|test|scripts|bench)\/[\w./-]+)`/g;

const findings: Finding[] = [];
let citations = 0;

function expectThere(isThere: boolean, place: string, what: string): void {
  citations += 1;
  if (!isThere) findings.push({ kind: 'citations of what is not there', place, what });
}

/** The headings of each document, by its name from the root on. */
const headings = new Map<string, readonly string[]>();

function headingsOf(name: string): readonly string[] {
  const known = headings.get(name);
  if (known !== undefined) return known;
  const text = withoutFences(readFileSync(join(ROOT, name), 'utf8'));
  const found = [...text.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading = '']) => heading);
  headings.set(name, found);
  return found;
}

/** As GitHub makes them: lower case, only letters, digits, blanks and hyphens, blanks as hyphens. */
function anchorsOf(name: string): readonly string[] {
  return headingsOf(name).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const ruleNumbers: ReadonlySet<number> = new Set(
  headingsOf('docs/rules.md').flatMap((heading) => {
    const [, number] = /^Rule (\d+): ./.exec(heading) ?? [];
    return number === undefined ? [] : [Number(number)];
  }),
);

/** Of a citation that a comment breaks over two lines, the marks at the start of the second are blanks. */
function unfold(text: string): string {
  return text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)/g, (mark) => mark.replace(/[*/]/g, ' '));
}

/** Blanks in place of code between fences, so that lines keep their numbers. */
function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, (code) => code.replaceAll(/[^\n]/g, ' '));
}

function checkRules(text: string, placeAt: PlaceAt): void {
  for (const { 0: cited, 1: first, 2: more = '', 3: joint, 4: last, index } of text.matchAll(RULES)) {
    const numbers = [first, ...more.split(',').slice(1), last].filter((one) => one !== undefined).map(Number);
    const [from = 0, to = from] = [numbers.at(-2), numbers.at(-1)];
    const between = joint === 'to' ? Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step) : [];
    for (const number of new Set([...numbers, ...between]))
      expectThere(
        ruleNumbers.has(number),
        placeAt(index),
        `${cited.replaceAll(/\s+/g, ' ')}: no heading "Rule ${number}: …"`,
      );
  }
}

/** Where a cited document is: beside the one that cites it, in docs, or at the root. */
function findDocument(cited: string, from: string): string | undefined {
  return [join(dirname(from), cited), cited, join('docs', cited)].find((name) => existsSync(join(ROOT, name)));
}

function checkFiles(text: string, name: string, placeAt: PlaceAt): void {
  for (const { 0: cited, 1: file = '', 2: heading, index } of text.matchAll(FILES)) {
    const document = findDocument(file, name);
    const isThere = document !== undefined && (heading === undefined || hasHeading(document, heading));
    expectThere(isThere, placeAt(index), cited.replaceAll(/\s+/g, ' '));
  }
  for (const { 0: cited, 1: number = '', index } of text.matchAll(DECISIONS))
    expectThere(decisions.has(Number(number)), placeAt(index), cited);
  for (const { 0: cited, index } of text.matchAll(ELSEWHERE)) expectThere(false, placeAt(index), cited);
}

function hasHeading(document: string, heading: string): boolean {
  const wanted = heading.replaceAll(/\s+/g, ' ').replaceAll('`', '').toLowerCase();
  return headingsOf(document).some((one) => one.replaceAll('`', '').toLowerCase() === wanted);
}

function checkLinks(text: string, name: string, placeAt: PlaceAt): void {
  for (const { 0: link, 1: target = '', index } of text.matchAll(LINKS)) {
    if (/^[a-z]+:/i.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? name : relative(ROOT, join(ROOT, dirname(name), file));
    const isThere = existsSync(join(ROOT, linked));
    expectThere(isThere && (anchor === undefined || anchorsOf(linked).includes(anchor)), placeAt(index), link);
  }
  for (const { 1: path = '', index } of text.matchAll(PATHS))
    expectThere(existsSync(join(ROOT, path)), placeAt(index), path);
}

type PlaceAt = (index: number) => string;

const texts = listTexts(process.argv.slice(2));
const decisions: ReadonlySet<number> = new Set(
  listTexts()
    .map(({ name }) => /^docs\/adr\/(\d{4})-/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number),
);

/** Comments, and the titles of tests: other texts of a source are no citations. */
function citing(source: string): string {
  return source
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\/?\*)|\s\/\/ |\b(?:describe|test|it)\b/.test(line) ? line : ' '.repeat(line.length)))
    .join('\n');
}

for (const { name, path, isSource } of texts) {
  const text = readFileSync(path, 'utf8');
  const placeAt: PlaceAt = (index) => `${name}:${text.slice(0, index).split('\n').length}`;
  checkRules(unfold(text), placeAt);
  if (isSource) checkFiles(unfold(citing(text)), name, placeAt);
  else {
    const prose = withoutFences(text);
    checkFiles(
      prose.replace(LINKS, (link) => ' '.repeat(link.length)),
      name,
      placeAt,
    );
    checkLinks(prose, name, placeAt);
  }
}

report({ subject: 'citations', seen: citations, unit: 'citations', least: 1, findings });
