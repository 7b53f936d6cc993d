import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { onBranch } from '../support/histories/places.ts';
import { type Service, startService } from '../support/service.ts';

const [BASE, HEAD] = [shaOf('base'), shaOf('head')];
const FILES = 45;
const nameOf = (index: number): string => `src/f${String(index).padStart(2, '0')}.ts`;

let service: Service;
let path: string;
let repoToken: string;
beforeAll(async () => {
  service = await startService();
  const { token, name } = await service.newRepo();
  repoToken = token;
  path = `/manual/${name}/pulls/7/review`;
  const names = Array.from({ length: FILES }, (_, index) => nameOf(index));
  // Line 2 of each is new; every third one misses it.
  const text = ['first', 'second <b>', 'third', ''].join('\n');
  const after = names.map((file, index) => sourceFile(file, [1, index % 3 === 0 ? 0 : 1, 1], { source: text }));
  const before = names.map((file) => sourceFile(file, [1, 1]));
  await service.uploadAlone(job({ repo_token: token, ...onBranch(BASE), source_files: before }));
  const changed = (file: string) => ({ name: file, kind: 'modified', hunks: [[2, 0, 2, 1]] });
  const others = [
    { name: 'docs/<readme>.md', kind: 'added', hunks: [[1, 0, 1, 2]] },
    { name: 'zz/old.ts', kind: 'removed', hunks: [[1, 2, 1, 0]] },
  ];
  const told = await service.uploadAlone({
    ...job({ repo_token: token, service_number: '72', service_pull_request: '7', source_files: after }),
    ...{ commit_sha: HEAD, compare_sha: BASE },
    diff: { base_sha: BASE, head_sha: HEAD, complete: true, files: [...names.map(changed), ...others] },
  });
  expect(told.warnings).toEqual([]);
});
afterAll(() => service.stop());

const read = async (query = '', authorization = `token ${service.adminToken}`) => {
  const { status, text } = await service.api.send(path + query, { headers: { authorization } });
  const files = text.split('<details class="file"').slice(1);
  const names = files.map((file) => /<h3><span class="path">(.*?)<\/h3>/.exec(file)?.[1]?.replaceAll(/<[^>]+>/g, ''));
  return { status, text, files, names: names.map((name) => name?.trim()) };
};

describe('the review of a pull request', () => {
  test('shows the whole change in order of path, 20 files a page', async () => {
    const first = await read();
    expect(first.status).toBe(200);
    expect(first.text).toContain('All files <span class="count">47</span>');
    expect(first.names).toEqual(['docs/&lt;readme>.md new file', ...Array.from({ length: 19 }, (_, n) => nameOf(n))]);
    expect((await read('?page=2')).names).toEqual(Array.from({ length: 20 }, (_, n) => nameOf(19 + n)));
    const last = await read('?page=3');
    expect(last.names).toEqual([...Array.from({ length: 6 }, (_, n) => nameOf(39 + n)), 'zz/old.ts']);
    expect(last.files.at(-1)).toContain('removed');
    expect((await read('?page=4')).names).toEqual([]);
  });

  test('unfolds a file with missed lines, and shows covered changed lines too', async () => {
    const { files } = await read();
    const [readme = '', missed = '', covered = ''] = files;
    expect(readme).toContain('not in any report');
    expect([readme, missed, covered].map((file) => /^ id="file-\d+" open>/.test(file))).toEqual([false, true, false]);
    expect(missed).toMatch(/<tr class="miss" data-uncovered[^>]*>.*second &lt;b>/);
    expect(covered).toContain('nothing missed');
    expect(covered).toMatch(/<tr class="hit"><td class="ln"><a href="[^"]*#L2">2<\/a>.*second &lt;b>/);
  });

  test('is narrowed to files with missed lines and to a part of the path', async () => {
    const missed = await read('?show=missed');
    expect(missed.names).toEqual(Array.from({ length: 15 }, (_, n) => nameOf(3 * n)));
    expect((await read('?show=missed&file=F1')).names).toEqual([nameOf(12), nameOf(15), nameOf(18)]);
    expect((await read('?file=nothing')).text).toContain('No files match.');
  });

  test('shows numbers and no source to a repo token, and nothing to a stranger', async () => {
    const { status, text } = await read('', `token ${repoToken}`);
    expect([status, text.includes('second')]).toEqual([200, false]);
    expect(text).toContain('Source is hidden');
    expect((await service.api.send(path)).status).toBe(404);
  });

  test('of a pull request without builds is a 404 that says so', async () => {
    const answer = await service.api.send(path.replace('/7/', '/8/'), {
      headers: { authorization: `token ${service.adminToken}` },
    });
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('no build of pull request')]);
  });
});
