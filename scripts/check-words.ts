// Fails on words that went, lines over 120 columns and comments over 300 characters, in sources and docs (style.ts).
// Usage: node scripts/check-words.ts [path ...]; without a path everything is searched.
import { readFileSync } from 'node:fs';
import { type Finding, listTexts, report } from '../test/support/repo-checks/checked-texts.ts';
import {
  findExcess,
  findGoneWords,
  MAX_COLUMNS,
  MAX_PARAGRAPH,
  readParagraphs,
  withoutSnapshots,
} from '../test/support/repo-checks/style.ts';

const findings: Finding[] = [];
let seen = 0;

function checkLine(line: string, place: string): void {
  for (const { name, found, instead } of findGoneWords(line))
    findings.push({ kind: `"${name}" (say: ${instead})`, place, what: found });
  const columns = findExcess(line);
  if (columns !== undefined) findings.push({ kind: `lines over ${MAX_COLUMNS} columns`, place, what: String(columns) });
}

for (const { name, path, isSource } of listTexts(process.argv.slice(2))) {
  const text = readFileSync(path, 'utf8');
  for (const [index, line] of withoutSnapshots(text).split('\n').entries()) {
    seen += 1;
    checkLine(line, `${name}:${index + 1}`);
  }
  const kind = `comments over ${MAX_PARAGRAPH} characters`;
  for (const { line, text: said } of isSource ? readParagraphs(text) : [])
    if (said.length > MAX_PARAGRAPH) findings.push({ kind, place: `${name}:${line}`, what: String(said.length) });
}

report({ subject: 'words', seen, unit: 'lines', least: 1, findings });
