import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type FileList = { page: number; total_pages: number; total: number; source_files: string };

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const read = <T>(path: string) => service.api.send<T>(path, asAdmin());
const publish = (repoId: number) =>
  service.store.repos.update({ repoId, settings: { visibility: 'public' }, at: Date.now() });

describe('the files of a build', () => {
  const filesOf = async (build: string, query = '') => {
    const { status, json } = await read<FileList>(`/builds/${build}/source_files.json${query}`);
    expect(status).toBe(200);
    return { ...json, files: JSON.parse(json.source_files) as Record<string, unknown>[] };
  };

  test('are those of its merged report, by name, with their counts', async () => {
    const { token } = await service.newRepo();
    const part = (flag: string, ...source_files: ReturnType<typeof sourceFile>[]) =>
      service.upload(job({ repo_token: token, parallel: true, flag_name: flag, source_files }));
    const branches = [1, 0, 0, 3, 1, 0, 1, 0];
    await part('one', sourceFile('src/b.ts', [1, 0, null]), sourceFile('src/a.ts', [0, 0], { branches }));
    const { build } = await part('two', sourceFile('src/b.ts', [0, 2, null]), sourceFile('none.ts', [null]));
    expect(await filesOf(build)).toMatchObject({ page: 1, total_pages: 0, total: 0, files: [] });
    await service.close(token, 71);
    const { files, ...rest } = await filesOf(build);
    expect(rest).toMatchObject({ page: 1, total_pages: 1, total: 3 });
    expect(files).toEqual([
      { ...counts('none.ts', 1), covered_percent: null },
      {
        ...counts('src/a.ts', 2),
        covered_percent: 25,
        relevant_line_count: 2,
        missed_line_count: 2,
        branch_count: 2,
        covered_branch_count: 1,
        missed_branch_count: 1,
      },
      { ...counts('src/b.ts', 3), covered_percent: 100, relevant_line_count: 2, covered_line_count: 2 },
    ]);
    const page = await service.api.send(`/builds/${build}/source_files`, asAdmin());
    expect(page.text).toContain('src/b.ts');
    expect(page.text).toContain('100.00%');
    expect((await service.api.send(`/builds/${build}`, asAdmin())).text).toContain(
      `/commits/${shaOf('commit')}/tree/" data-files`,
    );
  });

  const counts = (name: string, line_count: number) => ({
    name,
    line_count,
    relevant_line_count: 0,
    covered_line_count: 0,
    missed_line_count: 0,
    branch_count: 0,
    covered_branch_count: 0,
    missed_branch_count: 0,
  });

  test('come a hundred on a page, by sha too', async () => {
    const { token } = await service.newRepo();
    const commit_sha = shaOf(token);
    const source_files = Array.from({ length: 230 }, (_, n) => sourceFile(`src/${String(n).padStart(3, '0')}.ts`, [1]));
    await service.uploadAlone(job({ repo_token: token, commit_sha, source_files }));
    const names = async (query: string) => (await filesOf(commit_sha, query)).files.map(({ name }) => name);
    expect(await filesOf(commit_sha)).toMatchObject({ page: 1, total_pages: 3, total: 230 });
    expect(await names('?page=3')).toEqual(source_files.slice(200).map(({ name }) => name));
    expect(await names('?page=4')).toEqual([]);
    expect(await names('?page=none')).toHaveLength(100);
    expect(await names('?page=1&per_page=1000')).toHaveLength(230);
    const page = await service.api.send(`/builds/${commit_sha}/source_files`, asAdmin());
    expect(page.text).toContain('230 files');
  });
});

describe('one file of a build', () => {
  const text = 'if (a < b) {\n\treturn "<script>alert(1)</script>";\n}\n// \u202e evil\n';
  const hits = [3, 0, null];

  async function putFile(name = 'src/a.ts', coverage: (number | null)[] = hits, source = text) {
    const repo = await service.newRepo();
    const build = await service.uploadAlone(
      job({ repo_token: repo.token, source_files: [sourceFile(name, coverage, { source })] }),
    );
    return { ...repo, build: build.id, path: `/builds/${build.id}/source` };
  }

  test('is an array of hits', async () => {
    const { path, token } = await putFile();
    const {
      status,
      headers,
      text: body,
    } = await service.api.send(`${path}.json?filename=src/a.ts&repo_token=${token}`);
    expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json; charset=utf-8', '[3,0,null]']);
  });

  test('is found under its name as sent and as stored (rule 6)', async () => {
    const name = 'C#\\src\\./é 日&?.ts';
    const { path } = await putFile(name);
    for (const filename of [name, 'C#/src/é 日&?.ts'])
      expect((await read(`${path}.json?${new URLSearchParams({ filename })}`)).text).toBe('[3,0,null]');
  });

  test('may be very long, and hold very large numbers', async () => {
    const long = Array.from({ length: 50_001 }, (_, n) => (n % 3 === 0 ? null : n));
    const { path } = await putFile('long.ts', [2 ** 53, ...long], 'line\n'.repeat(50_002));
    const { json } = await read<number[]>(`${path}.json?filename=long.ts`);
    expect(json).toEqual([Number.MAX_SAFE_INTEGER, ...long]);
    const last = await service.api.send(`${path}?filename=long.ts&page=26`, asAdmin());
    expect(last.text).toContain('lines 50,001–50,002 of 50,002');
    expect(last.text).toContain('50000×');
  });

  test('has no lines where none were sent', async () => {
    const { path } = await putFile('empty.ts', []);
    expect((await read(`${path}.json?filename=empty.ts`)).text).toBe('[]');
  });

  test('is missing, or its name is', async () => {
    const { path } = await putFile();
    for (const [query, status, sentence] of [
      ['?filename=src/b.ts', 404, 'no file "src/b.ts"'],
      ['?filename=', 422, 'filename is missing'],
      ['', 422, 'filename is missing'],
    ] as const) {
      const { status: seen, json } = await read(`${path}.json${query}`);
      expect([seen, json]).toEqual([status, { message: expect.stringContaining(sentence), error: true }]);
      expect((await service.api.send(path + query, asAdmin())).status).toBe(status);
    }
  });

  test('shows its text as text (rule 26)', async () => {
    const { path } = await putFile();
    const { text: page } = await service.api.send(`${path}?filename=src/a.ts`, asAdmin());
    expect(page).toContain('if (a &lt; b) {');
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('\u202e');
    expect(page).toContain('3×');
    expect(page).toContain('<tr id="L2" class="miss" data-uncovered>');
    expect(page).toMatch(/<tr id="L4">.*evil/s);
  });

  test('shows its text to readers of a public repo, never to a repo token (rule 30)', async () => {
    const { path, token, id } = await putFile();
    const withToken = await service.api.send(`${path}?filename=src/a.ts&repo_token=${token}`);
    expect(withToken.text).toContain('repo tokens can only read numbers');
    expect(withToken.text).toContain('3×');
    expect(withToken.text).not.toContain('return');
    await publish(id);
    expect((await service.api.send(`${path}?filename=src/a.ts`)).text).toContain('return');
    expect((await service.api.send(`${path}?filename=src/a.ts&repo_token=${token}`)).text).not.toContain('return');
  });

  test('says so where the text was never sent', async () => {
    const { token } = await service.newRepo();
    const { id } = await service.uploadAlone(job({ repo_token: token }));
    const { text: page } = await service.api.send(`/builds/${id}/source?filename=src/a.ts`, asAdmin());
    expect(page).toContain('sends it with send-source: all');
  });
});

test('our action learns whose texts are wanted, with the repo’s token alone', async () => {
  const ask = (token: string) =>
    service.api.send<object>('/api/v1/upload-settings', { headers: { authorization: `Bearer ${token}` } });
  expect((await ask((await service.newRepo()).token)).json).toEqual({ send_source: 'all' });
  expect((await ask((await service.newRepo({ service: 'github' })).token)).json).toEqual({ send_source: 'none' });
  expect((await ask(service.adminToken)).status).toBe(401);
});
