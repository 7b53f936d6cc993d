import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { BUILD_QUIET_PERIOD: '1s' } });
});
afterAll(() => service.stop());

type Repo = Awaited<ReturnType<Service['newRepo']>>;

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const badge = (repo: Repo, query = '', init: RequestInit = asAdmin()) =>
  service.api.send(`/repos/${repo.service}/${repo.name}/badge.svg${query}`, init);
const said = async (repo: Repo, query = '') => {
  const { status, text } = await badge(repo, query);
  expect(status).toBe(200);
  return /<title>coverage(?: \([^<]*\))?: ([^<]*)<\/title>/.exec(text)?.[1];
};
const change = (repo: Repo, settings: object) =>
  service.store.repos.update({ repoId: repo.id, settings, at: Date.now() });

let pushes = 0;
const push = (repo: Repo, lines: number[], fields: object = {}) => {
  pushes += 1;
  return service.uploadAlone(
    job({
      repo_token: repo.token,
      service_number: String(pushes),
      service_job_id: String(pushes),
      commit_sha: shaOf(String(pushes)),
      source_files: [sourceFile('src/a.ts', lines)],
      ...fields,
    }),
  );
};
const tokenOf = async (repo: Repo) =>
  (await service.api.send<{ badge_token: string }>(`/api/v1/repos/manual/${repo.name}`, asAdmin())).json.badge_token;
const onBranch = (branch: string) => ({ service_branch: branch, git: {} });

describe('a badge', () => {
  test('is an SVG that may be kept for a minute', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 1, 0]);
    const { status, headers, text } = await badge(repo);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, max-age=60, must-revalidate');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*coverage.*66\.66%.*<\/svg>\n$/s);
    expect((await badge(repo, '', { ...asAdmin(), method: 'HEAD' })).status).toBe(200);
  });

  test('is at the repo’s own address too, by the same rights', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 1, 0]);
    const path = `/${repo.service}/${repo.name}/badge.svg`;
    const own = (query = '', init?: RequestInit) => service.api.send(path + query, init);
    const [there, here] = [await badge(repo, '?flag=&branch=main'), await own('?flag=&branch=main', asAdmin())];
    expect([here.status, here.text, here.headers.get('etag')]).toEqual([
      200,
      there.text,
      there.headers.get('etag') ?? 'none',
    ]);
    expect(here.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect((await own()).status).toBe(404);
    const token = await tokenOf(repo);
    expect((await own(`?t=${token}`)).status).toBe(200);
    expect((await own('?t=cvb_wrong')).status).toBe(404);
    expect((await service.api.send(`/${repo.service}/nobody/nothing/badge.svg`, asAdmin())).status).toBe(404);
  });

  test('is not sent again while it is the same', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 0]);
    const etag = (await badge(repo)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const asked = { headers: { ...asAdmin().headers, 'if-none-match': etag } };
    const again = await badge(repo, '', asked);
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(again.headers.get('cache-control')).toContain('must-revalidate');
    await push(repo, [1, 1]);
    expect((await badge(repo, '', asked)).status).toBe(200);
  });

  test('is unknown before the first close, and says when nothing is relevant', async () => {
    const repo = await service.newRepo();
    expect(await said(repo)).toBe('unknown');
    await service.upload(job({ repo_token: repo.token, parallel: true, service_number: 'open' }));
    expect(await said(repo)).toBe('unknown');
    const empty = await service.newRepo();
    await push(empty, []);
    expect(await said(empty)).toBe('no relevant lines');
    await push(empty, [1, 0]);
    await push(empty, []);
    expect(await said(empty)).toBe('50.00%');
    for (const lines of [[1, 1, 1, 0], []]) await push(empty, lines, { flag_name: 'unit' });
    expect(await said(empty, '?flag=unit')).toBe('75.00%');
  });

  test('never rounds up (rule 5)', async () => {
    const repo = await service.newRepo();
    await push(repo, [...Array.from({ length: 29_999 }, () => 1), 0]);
    expect(await said(repo)).toBe('99.99%');
    await push(repo, [1, 1]);
    expect(await said(repo)).toBe('100.00%');
  });
});

describe('of several builds a badge shows', () => {
  test('the newest on the default branch: the setting’s, else main, else master', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 1, 1, 0], onBranch('develop'));
    expect(await said(repo)).toBe('unknown');
    await push(repo, [1, 0], onBranch('master'));
    expect(await said(repo)).toBe('50.00%');
    await push(repo, [1, 1, 1, 0], onBranch('main'));
    await push(repo, [1, 0, 0, 0], onBranch('main'));
    await push(repo, [0], onBranch('master'));
    expect(await said(repo)).toBe('25.00%');
    await change(repo, { defaultBranch: 'develop' });
    expect(await said(repo)).toBe('75.00%');
    expect(await said(repo, '?branch=master')).toBe('0.00%');
    expect(await said(repo, '?branch=refs/heads/main')).toBe('25.00%');
    expect(await said(repo, '?branch=')).toBe('75.00%');
    expect(await said(repo, '?branch=none')).toBe('unknown');
  });

  test('none of a pull request or a tag, whatever their branch is called (rules.md "Branches")', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 0]);
    await push(repo, [0], { service_pull_request: '5' });
    await push(repo, [1], { service_branch: 'refs/tags/main', git: {} });
    expect(await said(repo)).toBe('50.00%');
  });

  test('none of an unverified run (rule 29)', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 0]);
    const { build, job: run } = await service.upload(
      job({ repo_token: repo.token, parallel: true, service_number: 'run', commit_sha: shaOf('run') }),
    );
    const [stored, uploaded] = [
      await service.store.builds.find(Number(build)),
      await service.store.jobs.find(Number(run)),
    ];
    expect([stored?.trust, uploaded?.facts.trust]).toEqual(['secret', 'secret']);
    // Nothing uploads without a secret yet: what the store would keep of one is asked of it directly.
    const accepted = await service.store.jobs.accept({
      repoId: repo.id,
      facts: {
        ...(uploaded?.facts as NonNullable<typeof uploaded>['facts']),
        trust: 'run',
        parallel: false,
        serviceNumber: 'x',
      },
      totals: uploaded?.totals ?? { coveredLines: 0, relevantLines: 0, coveredBranches: 0, branches: 0 },
      files: 1,
      contentDigest: 'f'.repeat(64),
      warnings: [],
      report: (await service.store.jobs.reports([Number(run)]))[0] as Uint8Array,
      sources: [],
      periods: { quiet: 1_000, late: 1_000 },
      bytes: 100,
      limits: { bytesPerDay: 0, openBuilds: 0, refusal: undefined },
      at: Date.now(),
    });
    await service.upload(
      job({ repo_token: repo.token, service_number: 'wake', commit_sha: shaOf('wake'), ...onBranch('x') }),
    );
    const closed = await service.closed(String(accepted?.build.id));
    expect(closed).toMatchObject({ branch: 'main', state: 'closed' });
    expect(await said(repo)).toBe('50.00%');
  });

  test('one that is complete, rather than a newer one that lacks flags (rule 13)', async () => {
    const repo = await service.newRepo();
    const parts = (number: string, flag: string, lines: number[]) =>
      job({
        repo_token: repo.token,
        service_number: number,
        commit_sha: shaOf(`${repo.token}${number}`),
        parallel: true,
        flag_name: flag,
        source_files: [sourceFile(`src/${flag}.ts`, lines)],
      });
    await service.upload(parts('1', 'unit', [1, 1]));
    await service.upload(parts('1', 'e2e', [1, 0]));
    await service.close(repo.token, '1');
    const { build } = await service.upload(parts('2', 'unit', [0, 0]));
    expect((await service.closed(build)).verdict?.state).toBe('incomplete');
    expect(await said(repo)).toBe('75.00%');
    expect(await said(repo, '?flag=unit')).toBe('100.00%');
  });

  test('one flag, where it is asked for', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 0], { flag_name: 'unit' });
    await push(repo, [1, 1], { flag_name: 'e2e <b>' });
    expect(await said(repo, '?flag=unit')).toBe('50.00%');
    expect(await said(repo, '?flag=Unit')).toBe('unknown');
    expect(await said(repo, '?flag=unit&branch=x')).toBe('unknown');
    const { text } = await badge(repo, `?flag=${encodeURIComponent('e2e <b>')}`);
    expect(text).toContain('coverage (e2e &lt;b&gt;): 100.00%');
    expect(text).not.toContain('<b>');
  });
});

describe('who may see a badge (rule 30)', () => {
  test('of a private repo: anybody who may read it, and anybody who has its badge token', async () => {
    const [repo, other] = [await service.newRepo(), await service.newRepo()];
    await push(repo, [1, 0]);
    const token = await tokenOf(repo);
    expect(token).toMatch(/^cvb_/);
    const statuses = await Promise.all(
      [`?t=${token}`, `?branch=main&t=${token}`, `?repo_token=${repo.token}`, '', '?t=', `?t=${token}x`]
        .concat([`?t=${await tokenOf(other)}`, `?t=${repo.token}`, `?repo_token=${other.token}`])
        .map(async (query) => (await badge(repo, query, {})).status),
    );
    expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404, 404, 404]);
    const refused = await badge(repo, '', { headers: { accept: 'text/html' } });
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(refused.json).toEqual({ message: expect.stringContaining(`no manual repo ${repo.name}`), error: true });
    expect((await badge(repo, `?t=${token}`, {})).headers.get('cache-control')).toContain('private');
  });

  test('of a public repo: anybody, and any cache', async () => {
    const repo = await service.newRepo();
    await push(repo, [1, 0]);
    await change(repo, { visibility: 'public' });
    const { status, headers } = await badge(repo, '', {});
    expect([status, headers.get('cache-control')]).toEqual([200, 'max-age=60, must-revalidate']);
  });

  test('the badge token does nothing else, and is not logged', async () => {
    const repo = await service.newRepo();
    const { id } = await push(repo, [1, 0]);
    const token = await tokenOf(repo);
    const list = `/manual/${repo.name}.json`;
    const seen = await Promise.all([
      service.api.send(`${list}?t=${token}`),
      service.api.send(`/builds/${id}.json?t=${token}`),
      service.api.send(`/builds/${id}.json?repo_token=${token}`),
      service.api.send(`/api/v1/repos/manual/${repo.name}`, { headers: { authorization: `token ${token}` } }),
      service.api.uploadJob(job({ repo_token: token })),
      service.api.closeBuild({ repo_token: token }),
      badge(repo, `?t=${token}`, {}),
    ]);
    expect(seen.map(({ status }) => status)).toEqual([404, 404, 422, 401, 422, 422, 200]);
    expect(service.log.text()).not.toContain(token);
    expect(seen.map(({ text }) => text).join()).not.toContain(token);
  });

  test('is in the repo’s read answer, which can be written back', async () => {
    const repo = await service.newRepo();
    const answer = await service.api.readRepo(repo.name, 'manual');
    await service.change(repo, { ...answer.json, send_build_status: false });
    expect((await service.api.readRepo(repo.name, 'manual')).json).toMatchObject({
      badge_token: await tokenOf(repo),
      send_build_status: false,
    });
  });

  test('there is none of a repo that is not there', async () => {
    for (const path of [
      '/repos/github/acme/none',
      '/repos/sourceforge/acme/shop',
      '/repos/github/acme',
      '/repos/github/a/b/c',
    ])
      expect((await service.api.send(`${path}/badge.svg`, asAdmin())).status).toBe(404);
  });
});
