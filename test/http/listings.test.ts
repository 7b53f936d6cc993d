import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type BuildList = {
  page: number;
  pages: number;
  total: number;
  builds: Record<string, unknown>[];
  commit_sha?: string;
};

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const read = <T>(path: string) => service.api.send<T>(path, asAdmin());
const publish = (repoId: number) =>
  service.store.repos.update({ repoId, settings: { visibility: 'public' }, at: Date.now() });

/** What wire.md "Other paths" lists, and more than one client reads. */
const BUILD_KEYS = [
  'covered_percent',
  'coverage_change',
  'commit_sha',
  'branch',
  'commit_message',
  'committer_name',
  'committer_email',
  'created_at',
  'url',
  'repo_name',
  'badge_url',
  'covered_lines',
  'missed_lines',
  'relevant_lines',
  'covered_branches',
  'missed_branches',
  'relevant_branches',
];

const push = (token: string, number: number, fields: object = {}) =>
  service.uploadAlone(
    job({
      repo_token: token,
      service_number: String(number),
      service_job_id: String(number),
      commit_sha: shaOf(`${token} ${number}`),
      ...fields,
    }),
  );

describe('a build as JSON', () => {
  test('has every key before its first close, covered_percent null', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(job({ repo_token: token, parallel: true }));
    const open = await read<Record<string, unknown>>(`/builds/${build}.json`);
    expect(open.status).toBe(200);
    expect(Object.keys(open.json)).toEqual(expect.arrayContaining(BUILD_KEYS));
    expect(open.json.covered_percent).toBeNull();
    expect(await service.close(token, 71)).toMatchObject({ covered_percent: 50 });
  });
});

describe('the builds of a repo', () => {
  let repo: Awaited<ReturnType<Service['newRepo']>>;
  const list = (query = '') => read<BuildList>(`/manual/${repo.name}.json${query}`);
  const numbers = async (query: string) => (await list(query)).json.builds.map(({ number }) => number);
  beforeAll(async () => {
    repo = await service.newRepo();
    for (let number = 1; number <= 12; number += 1) await push(repo.token, number);
    await push(repo.token, 13, { service_pull_request: '5' });
    await push(repo.token, 14, { service_branch: 'feat/x', git: {} });
    await service.upload(
      job({ repo_token: repo.token, service_number: '15', parallel: true, commit_sha: shaOf('open') }),
    );
  });

  test('come newest first, ten on a page, with what a build says of itself', async () => {
    const { status, headers, json } = await list('?page=1');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toMatchObject({ page: 1, pages: 2, total: 15 });
    expect(json).not.toHaveProperty('commit_sha');
    expect(json.builds.map(({ number }) => number)).toEqual(['15', '14', '13', '12', '11', '10', '9', '8', '7', '6']);
    for (const build of json.builds) expect(Object.keys(build)).toEqual(expect.arrayContaining(BUILD_KEYS));
    expect(json.builds[0]).toMatchObject({ state: 'open', covered_percent: null });
    expect(json.builds[1]).toMatchObject({
      repo_name: repo.name,
      branch: 'feat/x',
      covered_percent: 50,
      verdict: { state: 'success' },
      committer_email: null,
    });
    expect(json.builds[3]).toMatchObject({ committer_email: 'mona@example.com' });
    expect(json.builds[1]?.url).toBe(`${service.url}/builds/${json.builds[1]?.id}`);
  });

  test('go on on the next pages, and end in an empty one', async () => {
    expect(await numbers('?page=2')).toEqual(['5', '4', '3', '2', '1']);
    const beyond = await list('?page=3');
    expect([beyond.status, beyond.json]).toEqual([200, { page: 3, pages: 2, total: 15, builds: [] }]);
    expect(await numbers('?page=999999999')).toEqual([]);
    expect(await numbers('?page=2&per_page=4')).toEqual(['11', '10', '9', '8']);
    expect(await numbers('?per_page=5000')).toHaveLength(15);
  });

  test.each(['0', '-1', '1.5', 'two', '', '%00', '1e3', '99999999999999999999', '1&page=2'])(
    'begin at the first page for page=%s',
    async (page) => {
      const { status, json } = await list(`?page=${page}`);
      expect([status, json.page, json.builds.length]).toEqual([200, 1, 10]);
    },
  );

  test('of a branch leave out pull requests of that name', async () => {
    expect(await numbers('?branch=main&per_page=3')).toEqual(['15', '12', '11']);
    expect(await numbers('?branch=refs/heads/feat/x')).toEqual(['14']);
    expect((await list('?branch=nowhere')).json).toEqual({ page: 1, pages: 0, total: 0, builds: [] });
  });

  test('without a page the newest build’s keys are beside them', async () => {
    const { json } = await list('?branch=feat/x');
    expect(json).toMatchObject({ commit_sha: shaOf(`${repo.token} 14`), covered_percent: 50, page: 1, total: 1 });
    expect(json.builds).toHaveLength(1);
  });

  test('show as a page, with links to the next one and to the branches', async () => {
    const first = await service.api.send(`/manual/${repo.name}`, asAdmin());
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(first.text).toContain(`href="/manual/${repo.name}?page=2#builds"`);
    expect(first.text).toContain(`href="/manual/${repo.name}?branch=feat%2Fx"`);
    const branch = await service.api.send(`/manual/${repo.name}?branch=feat/x`, asAdmin());
    expect(branch.text).toContain('Builds on feat/x');
    expect((await service.api.send(`/manual/${repo.name}?page=9`, asAdmin())).text).toContain('← page 2');
  });

  test('are read by name whatever its case, with dots, and in nested GitLab groups', async () => {
    expect((await read<BuildList>(`/manual/${repo.name.toUpperCase()}.json?page=1`)).json.total).toBe(15);
    for (const [service_, name] of [
      ['gitlab', 'group/sub/group/shop'],
      ['github', 'acme/shop.js'],
    ] as const) {
      const { token } = await service.newRepo({ service: service_, name });
      await push(token, 1);
      const listed = await read<BuildList>(`//${service_}/${name}.json?page=1`);
      expect(listed.json.builds).toMatchObject([{ repo_name: name, number: '1' }]);
      expect((await service.api.send(`/${service_}/${name}/`, asAdmin())).text).toContain(
        `href="/${service_}/${name}" aria-current="page"`,
      );
    }
  });
});

describe('who may read (rule 30)', () => {
  const paths = (name: string, build: string, job_: string) => [
    `/manual/${name}.json`,
    `/manual/${name}`,
    `/builds/${build}/source_files.json`,
    `/builds/${build}/source_files`,
    `/builds/${build}/source.json?filename=src/a.ts`,
    `/builds/${build}/source?filename=src/a.ts`,
    `/jobs/${job_}.json`,
    `/jobs/${job_}`,
  ];
  const statuses = (all: readonly string[], init: RequestInit = {}) =>
    Promise.all(all.map(async (path) => (await service.api.send(path, init)).status));

  test('a private repo: its owner and its repo token, nobody else', async () => {
    const [repo, other] = [await service.newRepo(), await service.newRepo()];
    const { build, job: id } = await service.upload(job({ repo_token: repo.token }));
    await service.closed(build);
    const all = paths(repo.name, build, id);
    const stranger = { headers: { authorization: `token ${await service.tokenOf('mallory')}` } };
    const with_ = (token: string) => all.map((path) => `${path}${path.includes('?') ? '&' : '?'}repo_token=${token}`);
    expect(await statuses(all, asAdmin())).toEqual(all.map(() => 200));
    expect(await statuses(with_(repo.token))).toEqual(all.map(() => 200));
    expect(await statuses(with_(other.token))).toEqual(all.map(() => 404));
    expect(await statuses(all, stranger)).toEqual(all.map(() => 404));
    expect(await statuses(all)).toEqual(all.map(() => 404));
  });

  test('a public repo: everybody, e-mail addresses excepted', async () => {
    const repo = await service.newRepo();
    await publish(repo.id);
    const { build, job: id } = await service.upload(job({ repo_token: repo.token }));
    await service.closed(build);
    const all = paths(repo.name, build, id);
    expect(await statuses(all)).toEqual(all.map(() => 200));
    const emailOf = async (init: RequestInit) =>
      (await service.api.send<BuildList>(`/manual/${repo.name}.json`, init)).json.builds[0]?.committer_email;
    expect([await emailOf({}), await emailOf(asAdmin())]).toEqual([null, 'mona@example.com']);
    const emailBy = async (token: string) =>
      (await service.api.send<BuildList>(`/manual/${repo.name}.json?repo_token=${token}`)).json.builds[0]
        ?.committer_email;
    const other = await service.newRepo();
    expect([await emailBy(repo.token), await emailBy(other.token)]).toEqual(['mona@example.com', null]);
  });

  test('no such repo, and what is no repo’s name', async () => {
    for (const path of ['/github/acme/none', '/github/nobody', '/github/a/b/c', '/github/acme/%3Cb%3E']) {
      const { status, json } = await read(`${path}.json`);
      expect([status, json.error]).toEqual([404, true]);
      expect((await service.api.send(path, { headers: { ...asAdmin().headers, accept: 'text/html' } })).status).toBe(
        404,
      );
    }
  });

  test('a page writes no repo token into its links, and none is logged', async () => {
    const repo = await service.newRepo();
    const { build, job: id } = await service.upload(job({ repo_token: repo.token }));
    await service.closed(build);
    for (const path of paths(repo.name, build, id).filter((one) => !one.includes('.json'))) {
      const { text } = await service.api.send(
        `${path}${path.includes('?') ? '&' : '?'}repo_token=${repo.token}&page=1`,
      );
      const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
      expect(links.length).toBeGreaterThan(0);
      expect(text).not.toContain(repo.token);
      const headers = { authorization: `Bearer ${repo.token}` };
      // The docs are there once they are built.
      for (const link of links.filter((one) => !/^#|^\/(?:api|docs)$|^\/docs\/|\/commits\//.test(one)))
        expect((await service.api.send(link, { headers })).status, link).toBe(200);
    }
    expect(service.log.text()).not.toContain(repo.token);
  });
});

describe('hostile texts (rule 26)', () => {
  test('are escaped on every page', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const { token, name } = await service.newRepo();
    const source_files = [sourceFile(`src/${evil}.ts`, [1, 0], { source: evil })];
    const upload = await service.upload(
      job({
        repo_token: token,
        service_number: evil,
        service_name: evil,
        service_job_id: evil,
        service_job_url: 'javascript:alert(1)',
        flag_name: evil,
        service_branch: evil,
        git: { branch: evil, head: { message: evil, committer_name: evil } },
        source_files,
      }),
    );
    await service.closed(upload.build);
    const filename = new URLSearchParams({ filename: `src/${evil}.ts` });
    for (const path of [
      `/manual/${name}`,
      `/manual/${name}?branch=${encodeURIComponent(evil)}`,
      `/builds/${upload.build}`,
      `/builds/${upload.build}/source_files`,
      `/builds/${upload.build}/source?${filename}`,
      `/jobs/${upload.job}`,
    ]) {
      const { status, text } = await service.api.send(path, asAdmin());
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('&lt;img');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('href="javascript');
    }
  });
});
