import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService, type Uploaded, warningsOf } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Fields = Readonly<Record<string, unknown>>;

/** Uploads parallel jobs one after the other, each with coverage of its own; says which share a build, as in `AAB`. */
async function groups(...jobs: readonly Fields[]): Promise<string> {
  const { token } = await service.newRepo();
  const builds: string[] = [];
  for (const [index, fields] of jobs.entries()) {
    const own = { parallel: true, source_files: [sourceFile(`src/${index}.ts`, [1, 0])] };
    const { build } = await service.upload({ ...job({ repo_token: token }), ...own, ...fields });
    builds.push(build);
  }
  const distinct = [...new Set(builds)];
  return builds.map((build) => String.fromCharCode(65 + distinct.indexOf(build))).join('');
}

const A = { commit_sha: shaOf('a'), git: undefined };
const B = { commit_sha: shaOf('b'), git: undefined };
const NO_COMMIT = { commit_sha: undefined, git: undefined };
const on = (branch: string) => ({ git: { branch } });

describe('with a number a job joins (rule 9)', () => {
  const rows: readonly (readonly [what: string, expected: string, ...jobs: Fields[]])[] = [
    ['the build of its number and commit', 'AA', A, A],
    ['whatever service_name says, where number and commit are equal', 'AA', A, { ...A, service_name: 'jenkins' }],
    ['by the tested commit of the job', 'AA', A, { ...B, service_tested_sha: shaOf('a') }],
    ['by the tested commit of the build', 'AA', { ...A, service_tested_sha: shaOf('b') }, B],
    ['another number is another build', 'AB', A, { ...A, service_number: '72' }],
    ['numbers are compared as strings', 'AAB', { ...A, service_number: 71 }, A, { ...A, service_number: '071' }],
    [
      'the newest open one of the same service and pull request, for another commit',
      'AA',
      { ...A, service_pull_request: '7' },
      { ...B, service_pull_request: '7' },
    ],
    [
      'another pull request with that number is another build',
      'AB',
      { ...A, service_pull_request: '7' },
      { ...B, service_pull_request: '8' },
    ],
    ['a push beside a pull request with that number is another build', 'AB', { ...A, service_pull_request: '7' }, B],
    [
      'one that states neither service nor pull request',
      'AA',
      { ...A, service_name: '' },
      { ...B, service_pull_request: '7' },
    ],
    ['for a job that states neither', 'AA', { ...A, service_pull_request: '7' }, { ...B, service_name: null }],
    [
      'numbers that restart on every branch open builds of their own',
      'ABAB',
      { ...A, ...on('x') },
      { ...B, ...on('y') },
      { ...A, ...on('x') },
      { ...B, ...on('y') },
    ],
    [
      'the newest of two with that number',
      'ABB',
      { ...A, service_pull_request: '7' },
      { ...B, service_pull_request: '8' },
      { ...NO_COMMIT, service_pull_request: '8' },
    ],
  ];
  for (const [what, expected, ...jobs] of rows) {
    test(what, async () => {
      expect(await groups(...jobs)).toBe(expected);
    });
  }
});

describe('without a number a job joins (rule 9)', () => {
  const none = { service_number: null };
  const free = { ...none, service_job_id: '' };
  const rows: readonly (readonly [what: string, expected: string, ...jobs: Fields[]])[] = [
    ['the build of its service, job id and commit', 'AA', { ...A, ...none }, { ...A, ...none }],
    ['another job id is another build', 'AB', { ...A, ...none }, { ...A, ...none, service_job_id: '1002' }],
    [
      'a job id of another service is another build',
      'AB',
      { ...A, ...none },
      { ...A, ...none, service_name: 'jenkins' },
    ],
    ['a job id with another commit is another build', 'AB', { ...A, ...none }, { ...B, ...none }],
    ['without a job id: the newest of its service and commit', 'AA', { ...A, ...free }, { ...A, ...free }],
    [
      'without a job id: the only open one of its commit, of another service too',
      'AA',
      { ...A, ...free },
      { ...A, ...free, service_name: 'jenkins' },
    ],
    ['without a job id, another commit', 'AB', { ...A, ...free }, { ...B, ...free }],
    ['the only open one of its commit, which has a number', 'AA', A, { ...A, ...free }],
    [
      'none of two open ones of its commit',
      'ABC',
      A,
      { ...A, service_number: '72' },
      { ...A, ...free, service_name: 'jenkins' },
    ],
    ['no build of its commit that is not parallel', 'AB', { ...A, parallel: false }, { ...A, ...free }],
    ['without job id and commit', 'AA', { ...NO_COMMIT, ...free }, { ...NO_COMMIT, ...free }],
    [
      'not parallel and without a job id: its own, always',
      'ABC',
      { ...A, ...free, parallel: false },
      { ...A, ...free, parallel: false },
      { ...NO_COMMIT, ...free, parallel: false },
    ],
  ];
  for (const [what, expected, ...jobs] of rows) {
    test(what, async () => {
      expect(await groups(...jobs)).toBe(expected);
    });
  }

  test('such a build gets the next chronological number of its repo', async () => {
    const { token } = await service.newRepo();
    const send = (fields: Fields) => service.upload({ ...job({ repo_token: token }), ...fields });
    expect((await send({ service_number: 'x-9' })).message).toBe('Job #x-9.1');
    expect((await send({ ...free, commit_sha: shaOf('2') })).message).toBe('Job #2.1');
    expect((await send({ ...free, commit_sha: shaOf('3') })).message).toBe('Job #3.1');
  });
});

describe('clients of one run meet in one build, in whatever order they come (rule 9)', () => {
  const RUN = '9001';
  const clients = {
    'our action': { service_name: 'github', service_number: RUN, service_job_id: `${RUN}-test` },
    goveralls: { service_name: 'github', service_number: null, service_job_id: RUN },
    'PyPI coveralls': { service_name: 'coveralls-python', service_number: null, service_job_id: null },
    'npm coveralls': { service_name: '', service_number: null, service_job_id: null },
  };
  const names = Object.keys(clients) as (keyof typeof clients)[];
  const orders = names.flatMap((first, at) => [
    [first, ...names.toSpliced(at, 1)],
    [first, ...names.toSpliced(at, 1).reverse()],
  ]);

  test.each(orders)('%s, %s, %s, %s', async (...order) => {
    const { token } = await service.newRepo();
    const send = (name: keyof typeof clients, index: number) =>
      service.upload({
        ...job({ repo_token: token, parallel: true, source_files: [sourceFile(`src/${index}.ts`, [1, 0])] }),
        ...A,
        ...clients[name],
      });
    const builds: string[] = [];
    for (const [index, name] of order.entries()) builds.push((await send(name as keyof typeof clients, index)).build);
    expect(new Set(builds).size).toBe(1);
    expect(await service.close(token, RUN)).toMatchObject({ number: RUN, service_number: RUN, covered_lines: 4 });
    // What comes for another run of that commit is another build.
    const other = { ...clients['our action'], service_number: '9002' };
    const next = await service.upload({ ...job({ repo_token: token, parallel: true }), ...A, ...other });
    expect(next.build).not.toBe(builds[0]);
  });
});

describe('facts of a build', () => {
  test('are set once, by the first job that states each; a later disagreement is a warning', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const send = (flag: string, fields: Fields): Promise<Uploaded> =>
      service.upload({ ...job({ repo_token: token, parallel: true, flag_name: flag }), git: undefined, ...fields });
    const { build } = await send('one', { commit_sha: undefined });
    await send('two', {
      commit_sha: shaOf('first'),
      git: { branch: 'main', head: { message: 'First' } },
      compare_ref: 'next',
    });
    await send('three', {
      commit_sha: shaOf('second'),
      service_number: '71',
      git: { branch: 'main', head: { message: 'Second' } },
      compare_ref: 'other',
    });
    const closed = await service.close(token, 71);
    expect(closed).toMatchObject({ id: build, commit_sha: shaOf('first'), branch: 'main', commit_message: 'First' });
    expect(warningsOf(closed)).toEqual([
      `Job 3 states commit ${shaOf('second')}, but an earlier job of this build stated ${shaOf('first')}; the ` +
        'first counts.',
      'Job 3 states compare_ref other, but an earlier job of this build stated next; the first counts.',
      'Job 3 states commit message Second, but an earlier job of this build stated First; the first counts.',
      expect.stringMatching(/^compare_ref "next": no closed build/),
    ]);
  });
});

describe('many uploads at once', () => {
  test('20 jobs land in one build, numbered 1 to 20, and all count', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const uploads = Array.from({ length: 20 }, (_, index) =>
      service.upload(
        job({ repo_token: token, parallel: true, source_files: [sourceFile(`src/${index}.ts`, [1, 0, null])] }),
      ),
    );
    const accepted = await Promise.all(uploads);
    expect(new Set(accepted.map(({ build }) => build)).size).toBe(1);
    const numbers = accepted.map(({ message }) => Number(message.replace('Job #71.', '')));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    const build = await service.close(token, 71);
    expect(build).toMatchObject({ state: 'closed', covered_lines: 20, relevant_lines: 40, covered_percent: 50 });
    expect(build.jobs.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => `71.${index + 1}`));
  });

  test('the same upload 8 times at once is stored once', async () => {
    const { token } = await service.newRepo();
    const upload = job({ repo_token: token, parallel: true });
    const accepted = await Promise.all(Array.from({ length: 8 }, () => service.upload(upload)));
    expect(new Set(accepted.map(({ url }) => url)).size).toBe(1);
    expect((await service.close(token, 71)).jobs).toHaveLength(1);
  });
});

describe('which jobs count (rule 10)', () => {
  const leg = (attempt: number, lines: number[], fields: Fields = {}): Fields => ({
    service_job_number: 'leg-1',
    service_attempt: attempt,
    source_files: [sourceFile('src/a.ts', lines)],
    ...fields,
  });
  const closeAfter = async (...jobs: readonly Fields[]) => {
    const { token } = await service.newRepo({ service: 'github' });
    for (const fields of jobs)
      await service.upload({ ...job({ repo_token: token, parallel: true, flag_name: 'unit' }), ...fields });
    return service.close(token, 71);
  };

  const rows: readonly (readonly [
    what: string,
    lines: readonly [covered: number, relevant: number],
    jobs: number,
    ...uploads: Fields[],
  ])[] = [
    ['a higher attempt replaces a lower one', [1, 2], 2, leg(1, [1, 1, 1]), leg(2, [1, 0])],
    ['in whatever order they come', [1, 2], 2, leg(2, [1, 0]), leg(1, [1, 1, 1])],
    ['all of the highest attempt count', [2, 3], 3, leg(1, [9, 9, 9, 9]), leg(2, [1, 0]), leg(2, [0, 0, 1])],
    [
      'another job number is not replaced',
      [3, 3],
      2,
      leg(1, [1, 1, 1]),
      leg(2, [1, 0], { service_job_number: 'leg-2' }),
    ],
    ['another flag is not replaced', [3, 3], 2, leg(1, [1, 1, 1]), leg(2, [1, 0], { flag_name: 'e2e' })],
    ['another job id is not replaced', [3, 3], 2, leg(1, [1, 1, 1]), leg(2, [1, 0], { service_job_id: '1002' })],
    [
      'without a job number nothing is replaced',
      [3, 3],
      2,
      leg(1, [1, 1, 1], { service_job_number: '' }),
      leg(2, [1, 0], { service_job_number: '' }),
    ],
    [
      'the same upload twice is stored once, whatever run_at, attempt and URLs',
      [1, 2],
      1,
      leg(1, [1, 0]),
      leg(2, [1, 0], {
        run_at: '2031-01-01T00:00:00Z',
        service_build_url: 'https://ci.example/2',
        service_job_url: 'https://ci.example/3',
      }),
    ],
    [
      'legs of a matrix that share everything but coverage all count',
      [2, 2],
      2,
      leg(1, [1, 0], { service_job_number: null }),
      leg(1, [0, 1], { service_job_number: null }),
    ],
  ];
  for (const [what, [covered, relevant], jobs, ...uploads] of rows) {
    test(what, async () => {
      const build = await closeAfter(...uploads);
      expect(build).toMatchObject({ covered_lines: covered, relevant_lines: relevant });
      expect(build.jobs).toHaveLength(jobs);
    });
  }

  test('a repeat of the lower attempt counts for the higher one too', async () => {
    const build = await closeAfter(leg(1, [1, 0]), leg(2, [1, 1, 1]), leg(2, [1, 0]));
    expect(build).toMatchObject({ covered_lines: 3, relevant_lines: 3 });
  });
});

describe('what closes a build by itself (rule 11)', () => {
  test('a job that is not parallel', async () => {
    const { token } = await service.newRepo();
    expect(await service.uploadAlone(job({ repo_token: token }))).toMatchObject({
      state: 'closed',
      closed_by: 'job',
      covered_percent: 50,
    });
  });
  test('its repeat, where the first time was parallel', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(job({ repo_token: token, parallel: true }));
    expect(await service.build(build)).toMatchObject({
      state: 'open',
      covered_percent: null,
      verdict: null,
      closed_by: null,
    });
    await service.upload(job({ repo_token: token, parallel: false }));
    expect((await service.closed(build)).jobs).toHaveLength(1);
  });
});
