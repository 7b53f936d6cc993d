import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findWorkflows } from './support/repo-checks/documented-workflows.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('README.md', () => {
  const text = read('README.md');

  test('is one screen, with the two commands as they are', () => {
    expect(text.split('\n').length).toBeLessThan(121);
    const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(text) ?? [];
    expect(commands.split('\n').map((line) => line.split('  ')[0])).toEqual([
      'npm ci && npm run demo',
      'npm ci && npm test',
      '',
    ]);
  });

  test('shows one workflow, which is complete and has one job', () => {
    const workflows = findWorkflows(text);
    expect(workflows.map(({ isWhole }) => isWhole)).toEqual([true]);
    const { on, permissions, jobs } = parse(workflows[0]?.yaml ?? '');
    expect(Object.keys(on)).toEqual(['push', 'pull_request']);
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    const [job, ...others] = Object.values(jobs) as { 'runs-on': string; steps: { uses?: string }[] }[];
    expect([others, job?.['runs-on']]).toEqual([[], 'ubuntu-latest']);
    expect(job?.steps.at(-1)?.uses).toBe('acme/coverage-service@v0');
  });
});

test('each row of the comparison has sources, and each source is used', () => {
  const [table = '', sources = ''] = read('docs/comparison.md').split(/## (?:Sources|Roadmap)/);
  const numbersIn = (part: string, pattern: RegExp) =>
    new Set([...part.matchAll(pattern)].map(([, number]) => Number(number)));
  const cited = numbersIn(table, /\[(\d+)\](?!\()/g);
  const listed = numbersIn(sources, /^(\d+)\. /gm);
  expect([...cited].filter((number) => number > 30 || !listed.has(number))).toEqual([]);
  expect([...listed].filter((number) => !cited.has(number))).toEqual([]);
  const cells = [...table.matchAll(/^\| [a-z].*$/gm)].flatMap(([row]) => row.split('|').slice(3, -1));
  expect(cells.filter((cell) => !/\[\d+\]|not documented| – /.test(cell))).toEqual([]);
});

describe('workflows of documents', () => {
  test('keep the numbers of their lines, and get what starts them', () => {
    const text =
      'a\n\n```yaml\njobs:\n  a: {}\n```\n\n```yaml\nname: b\non: push\njobs: \n```\n```yaml\ntest: {}\n```\n';
    const [part, none] = findWorkflows(text.replace('jobs: ', 'jobs:'));
    expect(part).toEqual({ isWhole: false, yaml: '\n\non: push\njobs:\n  a: {}\n' });
    expect(none).toEqual({ isWhole: true, yaml: `${'\n'.repeat(8)}name: b\non: push\njobs:\n` });
    expect(findWorkflows(text)).toHaveLength(1);
  });
});

describe('forms of issues', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter((path) => !path.endsWith('config.yml'));

  test.each(forms)('%s has what GitHub requires', (path) => {
    const { name, description, body } = parse(read(path));
    expect([name, description]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
    const asked = (body as { type: string; id?: string; attributes: Record<string, unknown> }[]).filter(
      ({ type }) => type !== 'markdown',
    );
    expect(asked.length).toBeGreaterThan(2);
    for (const { type, id, attributes } of asked) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      expect([id, attributes.label]).toEqual([expect.stringMatching(/^[\w-]+$/), expect.stringMatching(/\w/)]);
      if (type === 'dropdown') expect(attributes.options).toEqual(expect.arrayContaining([expect.any(String)]));
    }
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
  });

  test('there is one for a wrong number, which asks for the build and the report', () => {
    expect(forms.length).toBe(3);
    expect(read('.github/ISSUE_TEMPLATE/wrong-number.yml')).toMatch(/\/builds\/<id>\.json[\s\S]*report/);
    expect(parse(read('.github/ISSUE_TEMPLATE/config.yml'))).toMatchObject({
      blank_issues_enabled: expect.any(Boolean),
    });
    for (const path of ['.github/PULL_REQUEST_TEMPLATE.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'])
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  });
});
