import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listTexts } from './support/repo-checks/checked-texts.ts';
import { findCitations, type Repo, readHeadings } from './support/repo-checks/citations.ts';
import { findExcess, withoutSnapshots } from './support/repo-checks/columns.ts';

const documents: Readonly<Record<string, string>> = {
  'docs/rules.md': '# Rules\n\n## Rule 1: What counts\n\n## Rule 2: The total\n\n## Branches\n',
  'docs/wire.md': '# Wire\n\n## Upload\n\n```\n## No heading\n```\n',
  'README.md': '# Service\n',
};
const repo: Repo = {
  exists: (name) => Object.hasOwn(documents, name),
  hasSource: (path) => path === 'core/b.ts',
  headingsOf: (name) => readHeadings(documents[name] ?? ''),
  decisions: new Set([2]),
};

const missingIn = (text: string, name = 'server/src/a.ts') =>
  findCitations({ name, text, isSource: !name.endsWith('.md') }, repo)
    .filter(({ isThere }) => !isThere)
    .map(({ line, cited }) => `${line}: ${cited}`);

describe('citations of a source', () => {
  test.each([
    '/** Rule 1, and rules 1 and 2. */',
    '/** As it is (rules.md "Branches", wire.md, "Upload", docs/wire.md, ADR 2). */',
    "const file = { name: 'docs/x.md' };",
    '// As it is stored (core/b.ts), of `src/c.ts`.',
  ])('%s is sound', (text) => {
    expect(missingIn(text)).toEqual([]);
  });

  test.each([
    ['// rule 3', '1: rule 3 (no heading "Rule 3: …" in docs/rules.md)'],
    ['// rules 1 to 3', '1: rules 1 to 3 (no heading "Rule 3: …" in docs/rules.md)'],
    ['// rules 1, 4 and 2', '1: rules 1, 4 and 2 (no heading "Rule 4: …" in docs/rules.md)'],
    ['/**\n * As in rule\n * 7.\n */', '2: rule 7 (no heading "Rule 7: …" in docs/rules.md)'],
    ['// wire.md "Close"', '1: wire.md "Close"'],
    ['// wire.md "No heading"', '1: wire.md "No heading"'],
    ['// service.md 2.1', '1: service.md'],
    ['test(\'rules.md "Verdict"\', () => {});', '1: rules.md "Verdict"'],
    ['// ADR 9', '1: ADR 9'],
    ['// As it is stored (ports/b.ts).', '1: ports/b.ts'],
    ['// hostile (design rule 9)', '1: design rule 9'],
  ])('%j dangles', (text, found) => {
    expect(missingIn(text)).toContain(found);
  });
});

test('links and paths of a document lead somewhere', () => {
  const sound = '[a](wire.md) [b](wire.md#upload) [c](rules.md#rule-1-what-counts) [d](../README.md) [e](https://x.y)';
  expect(missingIn(sound, 'docs/api.md')).toEqual([]);
  const text = '\n[a](gone.md) [b](wire.md#close) `test/gone.ts`';
  expect(missingIn(text, 'docs/api.md')).toEqual(['2: [a](gone.md)', '2: [b](wire.md#close)', '2: test/gone.ts']);
});

test('long lines are counted by characters, but for addresses and recorded output', () => {
  expect(findExcess('é'.repeat(120))).toBeUndefined();
  expect(findExcess('x'.repeat(121))).toBe(121);
  expect(findExcess(`// https://${'x'.repeat(120)}`)).toBeUndefined();
  const recorded = `expect(text).toMatchInlineSnapshot(\`\n${'x'.repeat(200)}\`);`;
  expect(withoutSnapshots(recorded).split('\n').map(findExcess)).toEqual([undefined, undefined]);
});

test('every file that tries a share of its inputs is among those that test:slow tries with all', () => {
  const sharing = listTexts(['server', 'action', 'shared', 'test'])
    .filter(({ path }) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('/property-runs.ts'))
    .map(({ name }) => name)
    // The slow browser tests are all of them.
    .filter((name) => !name.startsWith('test/browser/'));
  const config = readFileSync(new URL('../vitest.config.ts', import.meta.url), 'utf8');
  expect(sharing.length).toBeGreaterThan(10);
  expect(sharing.filter((name) => !config.includes(`'${name}'`))).toEqual([]);
});
