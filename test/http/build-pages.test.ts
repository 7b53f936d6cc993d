import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('GET /builds/<id>', () => {
  const page = (build: string) =>
    service.api.send(`/builds/${build}`, {
      headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' },
    });

  test('is a page with the numbers, the verdict and where they come from', async () => {
    const { token, name } = await service.newRepo();
    const build = await service.uploadAlone(
      job({ repo_token: token, flag_name: 'unit', service_build_url: 'https://ci.example/71' }),
    );
    const { status, headers, text } = await page(build.id);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const shown of [
      name,
      '<h1>Change prices</h1>',
      '50.00<span class="unit">%</span>',
      'first-build',
      shaOf('commit'),
      'unit',
      'href="https://ci.example/71"',
    ])
      expect(text).toContain(shown);
  });

  test('shows an open build as such', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(job({ repo_token: token, parallel: true }));
    expect((await page(build)).text).toContain('Waiting for more jobs.');
  });

  test('shows whatever an upload holds as text', async () => {
    const { token } = await service.newRepo();
    const evil = (what: string) => `${what}<script>alert('${what}')</script>"onload="x`;
    const coverage = (name: string, lines: number[]) => [sourceFile(evil(name), lines, { source: evil('source') })];
    const from = { service_number: '70', commit_sha: shaOf('70'), source_files: coverage('file', [1, 1]) };
    await service.uploadAlone({ ...job({ repo_token: token, flag_name: evil('missing') }), ...from });
    const build = await service.uploadAlone({
      ...job({
        repo_token: token,
        service_number: evil('number'),
        service_job_id: evil('id'),
        flag_name: evil('flag'),
      }),
      ...{ service_build_url: 'javascript:alert(1)', service_name: evil('service'), compare_sha: shaOf('70') },
      commit_sha: evil('commit'),
      git: { branch: '<script>alert(1)</script>', head: { message: evil('message'), committer_name: evil('name') } },
      source_files: coverage('file', [0, 0]),
    });
    const { text } = await page(build.id);
    for (const what of ['file', 'missing', 'number', 'flag', 'commit', 'message'])
      expect(text).toContain(`${what}&lt;script`);
    expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|"onload=|href="javascript:/i);
  });

  test('of an unknown build is a page that says so', async () => {
    const { status, headers, text } = await page('999999');
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('There is no build 999999');
  });
});

test('pages and JSON show which builds are bases, and who took one out of them', async () => {
  const repo = await service.newRepo();
  const headers = { authorization: `token ${service.adminToken}` };
  const ids: string[] = [];
  for (let number = 1; number <= 12; number += 1) {
    const fields = { repo_token: repo.token, service_number: String(number), commit_sha: shaOf(`main ${number}`) };
    ids.unshift((await service.uploadAlone(job(fields))).id);
  }
  const marked = async (page: number): Promise<readonly string[]> => {
    const { text } = await service.api.send(`/manual/${repo.name}?page=${page}`, { headers });
    const rows = text.split('<tr role="row">').filter((row) => row.includes('class="tag"'));
    return rows.map((row) => /builds\/(\d+)/.exec(row)?.[1] ?? '');
  };
  expect([await marked(1), await marked(2)]).toEqual([[ids[0]], []]);
  for (const id of ids.slice(0, 10)) {
    const excluded = { by: 'mona', at: Date.UTC(2026, 1, 3) };
    await service.store.builds.revise({ buildId: Number(id), revision: { kind: 'excluded-as-base', excluded } });
  }
  expect((await service.build(ids[0] ?? '')).is_base).toMatchObject({ may_be: 'no', reason: 'excluded' });
  expect((await service.build(ids[10] ?? '')).is_base).toMatchObject({ may_be: 'yes', reason: null });
  const shown = await service.api.send(`/builds/${ids[0]}`, { headers });
  expect(shown.text).toContain('mona excluded it on 2026-02-03');
  expect([await marked(1), await marked(2)]).toEqual([[], [ids[10]]]);
});
