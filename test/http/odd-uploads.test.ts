import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const FIELDS = [
  ...[
    'service_name',
    'service_number',
    'service_job_id',
    'service_job_number',
    'service_attempt',
    'service_pull_request',
  ],
  ...[
    'service_branch',
    'service_base_branch',
    'service_base_sha',
    'service_tested_sha',
    'service_build_url',
    'service_event_type',
  ],
  ...[
    'commit_sha',
    'compare_ref',
    'compare_sha',
    'flag_name',
    'run_at',
    'parallel',
    'git',
    'environment',
    'source_files',
    'json',
    '__proto__',
  ],
] as const;

/** Values that have broken parsers, stores and pages before, and any others. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    '\u0000',
    '\ud800',
    '\ufeff',
    '\u202etxt',
    '-0',
    '1e400',
    '__proto__',
    '%00',
    '<!--',
    "';--",
    '../..',
    'x'.repeat(3_000),
  ),
  fc.constantFrom<unknown>(
    -1,
    2 ** 53,
    1e300,
    -0,
    1.5,
    true,
    null,
    [],
    {},
    [[]],
    '+275760-09-13T00:00:00Z',
    '0000-00-00',
    'https://[',
    'refs/heads/',
  ),
  fc.constantFrom<unknown>([{ name: 'a', coverage: [1] }], { head: { message: '\u0000\n' }, branch: 'origin/' }, [
    { head: [{ id: 7 }] },
  ]),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

describe('an upload with whatever values', () => {
  test('is taken or refused with a reason, and what was taken can be read', async () => {
    const { token } = await service.newRepo();
    const fields = fc.dictionary(fc.constantFrom(...FIELDS), odd, { minKeys: 1, maxKeys: 5, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fields, async (values) => {
        // A text that may hold the key __proto__, as no object literal can.
        const text = JSON.stringify({ ...job({ repo_token: token }), ...values });
        const reply = await service.api.uploadJob(text);
        expect([200, 422]).toContain(reply.status);
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
        if (reply.status === 422) return;
        const { json: stored } = await service.api.jobJson(reply.json.url);
        expect(reply.json.message.split('\n')[0]).toBe(`Job #${stored.number}`);
        const build = await service.api.buildJson(stored.build);
        expect([build.status, build.json.jobs.some(({ url }) => url === reply.json.url)]).toEqual([200, true]);
        const page = await service.api.send(`/builds/${stored.build}?repo_token=${token}`);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      }),
      { numRuns: 120 },
    );
    expect(service.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a close with whatever values', () => {
  test('is done or refused with a reason', async () => {
    const { token } = await service.newRepo();
    const close = fc.record(
      {
        payload: fc.oneof(
          odd,
          fc.record({ build_num: odd, status: fc.oneof(odd, fc.constant('done')) }, { requiredKeys: [] }),
        ),
        carryforward: odd,
        repo_name: odd,
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(close, async (values) => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(values) };
        const reply = await service.api.send(`/webhook?repo_token=${token}`, init);
        expect([reply.status, reply.json]).toEqual([422, { message: expect.any(String), error: true }]);
      }),
      { numRuns: 120 },
    );
    expect(service.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('an address with whatever text', () => {
  test('is found or not, and never a fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.constantFrom('builds', 'jobs'),
        async (text, kind) => {
          const path = `/${kind}/${encodeURIComponent(text.toWellFormed())}.json`;
          const reply = await service.api.send(path, { headers: { authorization: `token ${service.adminToken}` } });
          expect([200, 404]).toContain(reply.status);
        },
      ),
      { numRuns: 60 },
    );
    for (const path of [
      '/builds/%',
      '/builds/%zz.json',
      '/builds/%c3%28.json',
      '/jobs/%00.json',
      '/builds/..%2f..%2fetc.json',
    ]) {
      const reply = await service.api.send(path, { headers: { authorization: `token ${service.adminToken}` } });
      expect([path, reply.status, reply.json.error]).toEqual([path, 404, true]);
    }
  });
});
