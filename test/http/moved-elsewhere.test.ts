import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

const [BASE, HEAD] = [shaOf('base'), shaOf('head')];

let service: Service;
let commit: string;
beforeAll(async () => {
  service = await startService();
  const { name, token } = await service.newRepo();
  commit = `/manual/${name}/commits/${HEAD}`;
  const before = {
    'old/name.ts': [1, 0],
    'src/a.ts': [1, 1, 1, 1],
    'src/gain.ts': [0, 0, 1],
    'src/lose.ts': [1, 0, 1],
  };
  await service.uploadAlone(job({ ...sent(token, before), commit_sha: BASE }));
  const head = { commit_sha: HEAD, service_number: '2', compare_sha: BASE, parallel: true, diff: DIFF };
  const unit = sent(token, { 'new/name.ts': [1, 1], 'src/a.ts': [1, 0, 0, 0, null] });
  const web = sent(token, { 'src/gain.ts': [1, 1, 1], 'src/lose.ts': [1, 0, 0] });
  const { build } = await service.upload({ ...job(unit), ...head, flag_name: 'unit <b>' });
  await service.upload({ ...job(web), ...head, flag_name: 'web' });
  await service.close(token, '2');
  await service.closed(build);
});
afterAll(() => service.stop());

/** The change rewrites `src/a.ts` and renames a file. */
const DIFF = {
  ...{ base_sha: BASE, head_sha: HEAD, complete: true },
  files: [
    { name: 'src/a.ts', kind: 'modified', hunks: [[2, 3, 2, 3]] },
    { name: 'new/name.ts', previous_name: 'old/name.ts', kind: 'renamed', hunks: [] },
  ],
};
const sent = (token: string, files: Readonly<Record<string, (number | null)[]>>) => ({
  repo_token: token,
  source_files: Object.entries(files).map(([name, hits]) => sourceFile(name, hits)),
  git: { branch: 'main' },
});
const read = async (path: string) => {
  const { text } = await service.api.send(path, { headers: { authorization: `token ${service.adminToken}` } });
  return text;
};
const plain = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr[^>]*><td role="cell" class="main[^"]*">.*?<\/tr>/g)].map(([row]) => plain(row).trim());

test('the build page lists what was gained elsewhere, and of what was lost there the newly missed alone', async () => {
  const html = await read(commit);
  const section = (id: string) => html.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';
  expect(plain(section('gained'))).toMatch(/Gained outside the change 1 2 lines not touched by this change/);
  expect(rowsOf(section('gained'))).toEqual(['src/ gain.ts 100.00% +66.66']);
  expect(rowsOf(section('elsewhere'))).toEqual(['src/ lose.ts 33.33% \u221233.33 3']);
});

test('a renamed file is compared with what it was, and files are chosen by the flag that measured them', async () => {
  const tree = `${commit}/tree`;
  const html = await read(tree);
  expect(rowsOf(html).find((row) => row.startsWith('name.ts'))).toContain('+50.00');
  expect(plain(html)).not.toContain(' new 2 of 2');
  expect(html).toContain('<option value="unit &lt;b>">unit &lt;b></option>');
  const names = async (query: string) =>
    rowsOf(await read(`${tree}?sort=gain&${query}`)).map((row) => row.split(' ')[0]);
  expect(await names('flag=web')).toEqual(['src/gain.ts', 'src/lose.ts', 'Total']);
  expect(await names('flag=unit+%3Cb%3E')).toEqual(['new/name.ts', 'src/a.ts', 'Total']);
  expect(await names('show=gained')).toEqual(['src/gain.ts', 'new/name.ts', 'Total']);
  expect(plain(await read(`${tree}?flag=none`))).toContain('No files match.');
});
