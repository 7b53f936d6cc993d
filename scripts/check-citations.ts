// Fails on a citation of a rule, heading, file, decision or link that is not there (citations.ts).
// Usage: node scripts/check-citations.ts [path ...]; without a path everything is searched.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTexts, ROOT, report } from '../test/support/repo-checks/checked-texts.ts';
import { findCitations, type Repo, readHeadings } from '../test/support/repo-checks/citations.ts';

const headings = new Map<string, readonly string[]>();
const exists = (name: string): boolean => existsSync(join(ROOT, name));
const headingsOf = (name: string): readonly string[] => {
  const known = headings.get(name) ?? (exists(name) ? readHeadings(readFileSync(join(ROOT, name), 'utf8')) : []);
  headings.set(name, known);
  return known;
};
const sources = new Set(listTexts().flatMap(({ name, isSource }) => (isSource ? endingsOf(name) : [])));
const repo: Repo = {
  exists,
  hasSource: (path) => sources.has(path),
  headingsOf,
  decisions: new Set(headingsOf('docs/decisions.md').flatMap((one) => Number(/^(\d+)\. /.exec(one)?.[1] ?? []))),
};

const citations = listTexts(process.argv.slice(2)).flatMap(({ name, path, isSource }) =>
  findCitations({ name, text: readFileSync(path, 'utf8'), isSource }, repo).map((one) => ({ ...one, name })),
);
const findings = citations
  .filter(({ isThere }) => !isThere)
  .map(({ name, line, cited }) => ({ kind: 'citations of what is not there', place: `${name}:${line}`, what: cited }));

/** `core/diff/diff.ts`, `diff/diff.ts`, `diff.ts` */
function endingsOf(name: string): readonly string[] {
  const steps = name.split('/');
  return steps.map((_, at) => steps.slice(at).join('/'));
}

report({ subject: 'citations', seen: citations.length, unit: 'citations', min: 1, findings });
