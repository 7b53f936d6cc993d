import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The closed build of one job with these source files. */
async function close(files: readonly unknown[], provider = 'github'): Promise<BuildJson> {
  const { token } = await service.newRepo({ service: provider });
  return service.uploadAlone({ ...job({ repo_token: token }), source_files: files });
}

describe('coverage', () => {
  test.each([
    ['hits, zero and null', [3, 0, null], [1, 2]],
    ['nothing', [], [0, 0]],
    ['no relevant line', [null, null], [0, 0]],
    ['integers beyond 2^53', [2 ** 60, 0], [1, 2]],
    ['numbers that are no integers', [1.5, 0.5, 0], [1, 3]],
    ['one beyond 32 bits', [2 ** 31, 1, 0], [2, 3]],
  ])('may hold %s', async (_, coverage, [covered, relevant]) => {
    const build = await close([{ name: 'a.py', source_digest: 'x', coverage }]);
    expect(build).toMatchObject({ covered_lines: covered, relevant_lines: relevant });
    expect(warningsOf(build)).toEqual(relevant === 0 ? ['None of the jobs reported a relevant line.'] : []);
  });
  test.each([undefined, null])('%j is none', async (coverage) => {
    expect(
      await close([
        { name: 'a.py', coverage },
        { name: 'b.py', coverage: [1] },
      ]),
    ).toMatchObject({ relevant_lines: 1 });
  });
  test('below zero counts as 0, with a warning that says where', async () => {
    const build = await close([{ name: 'a.py', coverage: [1, -3, null], branches: [1, 0, 0, -1, 1, 0, 1, 2] }]);
    expect(build).toMatchObject({ covered_lines: 1, relevant_lines: 2, covered_branches: 1, relevant_branches: 2 });
    expect(build.warnings.filter((warning) => /negative/i.test(warning) && warning.includes('a.py'))).toHaveLength(2);
  });
});

describe('branches', () => {
  test.each([undefined, null, []])('%j are none', async (branches) => {
    expect(await close([{ name: 'a.py', coverage: [1, 0], branches }])).toMatchObject({
      relevant_branches: 0,
      covered_percent: 50,
    });
  });
  test('count beside lines: total = 100 x (covered lines and branches) / (relevant lines and branches)', async () => {
    const build = await close([
      { name: 'a.py', coverage: [1, 1, 0], branches: [1, 0, 0, 5, 1, 0, 1, 0, 2, 0, 0, 0, 2, 0, 1, 0] },
    ]);
    expect(build).toMatchObject({
      covered_lines: 2,
      missed_lines: 1,
      relevant_lines: 3,
      covered_branches: 1,
      missed_branches: 3,
      relevant_branches: 4,
    });
    expect(build.covered_percent).toBe(300 / 7);
  });
});

describe('names', () => {
  test.each([
    ['./src/a.py', 'src/a.py'],
    ['src\\a.py', 'src/a.py'],
    ['src//a.py', 'src/a.py'],
    ['src/./a.py', 'src/a.py'],
    ['.\\src\\\\a.py', 'src/a.py'],
  ])('%s is %s', async (one, other) => {
    const build = await close([
      { name: one, coverage: [1, 0, null] },
      { name: other, coverage: [0, 0, 2, 0] },
    ]);
    expect(build).toMatchObject({ covered_lines: 2, relevant_lines: 4 });
  });
  test('with a leading slash are other files than those without', async () => {
    expect(
      await close([
        { name: '/a.py', coverage: [1] },
        { name: 'a.py', coverage: [0] },
      ]),
    ).toMatchObject({ relevant_lines: 2 });
  });
  test('that occur twice in a job are merged: hits summed, the longer tail kept', async () => {
    const build = await close([
      { name: 'a.py', coverage: [1, 0], branches: [1, 0, 0, 0] },
      { name: 'b.py', coverage: [0] },
      { name: 'a.py', coverage: [0, null, 0, 4], branches: [1, 0, 0, 2, 1, 0, 1, 0] },
    ]);
    expect(build).toMatchObject({ covered_lines: 2, relevant_lines: 5, covered_branches: 1, relevant_branches: 2 });
  });
});

describe('source and source_digest', () => {
  test.each([
    ['an MD5 in capitals', { source_digest: 'D41D8CD98F00B204E9800998ECF8427E' }],
    ['a SHA-512 in capitals', { source_digest: 'AB'.repeat(64) }],
    ['anything of 128 characters', { source_digest: 'ü'.repeat(128) }],
    ['neither', {}],
    ['null', { source_digest: null, source: null }],
    ['empty', { source_digest: '', source: '' }],
    ['a source alone', { source: 'a = 1\r\nb = 2\r\n' }],
    ['a source that is longer than its coverage', { source: 'a\nb\nc\nd', source_digest: 'wrong' }],
  ])('may be %s', async (_, fields) => {
    const build = await close([{ name: 'a.py', coverage: [1, 0], ...fields }]);
    expect(build).toMatchObject({ covered_lines: 1, relevant_lines: 2 });
    expect(warningsOf(build)).toEqual([]);
  });
  test('leave out lines beyond the end of the source, with a warning', async () => {
    const build = await close([
      { name: 'a.py', coverage: [1, 0, 0, null, 7], source: 'a = 1\r\nb = 2\r\n' },
      { name: 'b.py', coverage: [1, null, null], source: 'a = 1' },
      { name: 'c.py', coverage: [1, 1, 1], source_digest: 'of a text that nobody knows' },
    ]);
    expect(build).toMatchObject({ covered_lines: 5, relevant_lines: 6 });
    expect(warningsOf(build)).toEqual([
      expect.stringContaining(
        '2 lines beyond the end of 1 file are left out: the report was made from a different ' + 'version of the file.',
      ),
    ]);
  });

  test('are compared without regard to case: the same text is no conflict, another is', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const send = (number: string, flag: string, digest: string) =>
      service.upload({
        ...job({
          repo_token: token,
          service_number: number,
          commit_sha: shaOf(number),
          flag_name: flag,
          parallel: true,
        }),
        source_files: [{ name: 'a.py', source_digest: digest, coverage: [1] }],
      });
    await send('1', 'unit', 'ABCDEF');
    await send('1', 'e2e', 'abcdef');
    expect(warningsOf(await service.close(token, '1'))).toEqual([]);
    await send('2', 'unit', 'ABCDEF');
    await send('2', 'e2e', 'abcdee');
    expect(warningsOf(await service.close(token, '2'))).toEqual([
      expect.stringContaining('1 file had different texts'),
    ]);
  });
  test('a manual repo’s job without source is accepted, with a warning on the build', async () => {
    const files = [
      { name: 'a.py', coverage: [1] },
      { name: 'b.py', coverage: [1], source: 'b' },
    ];
    expect(warningsOf(await close(files, 'manual'))).toEqual([
      expect.stringMatching(/^Job 71\.1: 1 file came without source;/),
    ]);
    const empty = { name: 'pkg/__init__.py', coverage: [], source: '' };
    expect(warningsOf(await close([empty, { name: 'b.py', coverage: [1], source: 'b' }], 'manual'))).toEqual([]);
    expect(warningsOf(await close([empty, { ...empty, name: 'a.py', coverage: [1] }], 'manual'))).toHaveLength(1);
    expect(warningsOf(await close(files, 'gitlab'))).toEqual([]);
  });
});
