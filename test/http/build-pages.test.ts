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
    service.api.send(`/builds/${build}`, { headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' } });

  test('is a page with the numbers, the verdict and where they come from', async () => {
    const { token, name } = await service.newRepo();
    const build = await service.uploadAlone(
      job({ repo_token: token, flag_name: 'unit', service_build_url: 'https://ci.example/71' }),
    );
    const { status, headers, text } = await page(build.id);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const shown of [name, 'Build 71', '50.00%', 'first-build', shaOf('commit'), 'unit', 'href="https://ci.example/71"'])
      expect(text).toContain(shown);
  });

  test('shows an open build as such', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(job({ repo_token: token, parallel: true }));
    expect((await page(build)).text).toContain('There is no result yet');
  });

  test('shows whatever an upload holds as text', async () => {
    const { token } = await service.newRepo();
    const evil = (what: string) => `${what}<script>alert('${what}')</script>"onload="x`;
    const coverage = (name: string, lines: number[]) => [sourceFile(evil(name), lines, { source: evil('source') })];
    const from = { service_number: '70', commit_sha: shaOf('70'), source_files: coverage('file', [1, 1]) };
    await service.uploadAlone({ ...job({ repo_token: token, flag_name: evil('missing') }), ...from });
    const build = await service.uploadAlone({
      ...job({ repo_token: token, service_number: evil('number'), service_job_id: evil('id'), flag_name: evil('flag') }),
      ...{ service_build_url: 'javascript:alert(1)', service_name: evil('service'), compare_sha: shaOf('70') },
      commit_sha: evil('commit'),
      git: { branch: '<script>alert(1)</script>', head: { message: evil('message'), committer_name: evil('name') } },
      source_files: coverage('file', [0, 0]),
    });
    const { text } = await page(build.id);
    for (const what of ['file', 'missing', 'number', 'flag', 'commit', 'message']) expect(text).toContain(`${what}&lt;script`);
    expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(text).not.toMatch(/<script|"onload=|href="javascript:/i);
  });

  test('of an unknown build is a page that says so', async () => {
    const { status, headers, text } = await page('999999');
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('There is no build 999999');
  });
});
