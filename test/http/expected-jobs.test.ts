import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const leg = (token: string, name: string, fields: object = {}) => ({
  ...job({ repo_token: token, parallel: true, source_files: [sourceFile(`src/${name}.ts`, [1, 0])] }),
  expected_jobs: 3,
  service_job_number: name,
  ...fields,
});

describe('expected_jobs (rule 11)', () => {
  test('closes with the last of them, without any close, and says in the meantime how many came', async () => {
    const repo = await service.newRepo();
    const { token } = repo;
    await service.store.repos.update({ repoId: repo.id, settings: { visibility: 'public' }, at: Date.now() });
    await service.upload(leg(token, 'a'));
    const { build: id } = await service.upload(leg(token, 'b', { expected_jobs: '2' }));
    expect(await service.build(id)).toMatchObject({ state: 'open', expected_jobs: { expected: 3, arrived: 2 } });
    const page = await service.api.send(`/builds/${id}`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain('2 of 3 jobs are in');
    await service.upload(leg(token, 'c'));
    const closed = await service.closed(id);
    expect(closed).toMatchObject({ closed_by: 'job', relevant_lines: 6, expected_jobs: { expected: 3, arrived: 3 } });
    await service.upload(leg(token, 'b', { service_attempt: 2, source_files: [sourceFile('src/b.ts', [1, 1])] }));
    expect(await service.closed(id)).toMatchObject({ covered_lines: 4, expected_jobs: { arrived: 3 } });
  });

  test.each([0, 1001, 1.5, 'all', []])('%j is refused by name', async (expected_jobs) => {
    const { token } = await service.newRepo();
    const { status, json } = await service.api.uploadJob(leg(token, 'a', { expected_jobs }));
    expect([status, json.message]).toEqual([422, expect.stringMatching(/^expected_jobs must be a/)]);
  });

  test('is missing where no job states it', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(leg(token, 'a', { expected_jobs: null }));
    expect(await service.build(build)).not.toHaveProperty('expected_jobs');
  });
});
