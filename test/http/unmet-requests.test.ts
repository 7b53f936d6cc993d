import type { BuildJson, JobPayload } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  ({ token } = await service.newRepo({ service: 'github' }));
  for (const [number, branch] of [
    ['1', 'main'],
    ['2', 'refs/tags/v1'],
    ['3', 'refs/tags/v1'],
    ['4', 'release'],
  ] as const)
    await upload({ service_number: number, commit_sha: shaOf(number), git: { branch } });
});
afterAll(() => service.stop());

type Fields = Omit<Partial<JobPayload>, 'source_files'> & { readonly source_files?: readonly object[] };

/** Uploads alone; the lines of the answer's message, the sentences of its header, and the closed build. */
async function upload(fields: Fields) {
  const own = { commit_sha: shaOf(String(fields.service_number)), git: { branch: 'topic' } };
  const { status, json, headers } = await service.api.uploadJob({ ...job({ repo_token: token }), ...own, ...fields });
  expect([status, Object.keys(json)]).toEqual([200, ['message', 'url']]);
  const told: unknown = JSON.parse(decodeURIComponent(headers.get('x-coverage-warnings') ?? '[]'));
  const stored = await service.store.jobs.find(Number(json.url.split('/').at(-1)));
  return { message: json.message.split('\n'), told, build: await service.closed(String(stored?.buildId)) };
}

/** Expects one sentence: in the answer's message and header, and on the build's JSON and page, `before` it there. */
async function expectWarned(fields: Fields, sentence: string, before = ''): Promise<BuildJson> {
  const { message, told, build } = await upload(fields);
  expect(message).toEqual([`Job #${fields.service_number}.1`, `Warning: ${sentence}`]);
  expect(told).toEqual([sentence]);
  expect(warningsOf(build)).toEqual([before + sentence]);
  const headers = { authorization: `token ${service.adminToken}`, accept: 'text/html' };
  const page = await service.api.send(`/builds/${build.id}`, { headers });
  expect(page.text).toContain(sentence.replaceAll('"', '&quot;'));
  return build;
}

const OTHERWISE = 'the base is chosen as if it were not there';

describe('what an upload asks to be compared with (rule 18)', () => {
  test('is the newest build of a tag', async () => {
    const { message, told, build } = await upload({ service_number: '10', compare_ref: 'v1' });
    expect(build.base).toMatchObject({ commit_sha: shaOf('3'), rule: 'compare-ref' });
    expect([message, told, warningsOf(build)]).toEqual([['Job #10.1'], [], []]);
  });

  test('is the only commit that begins so', async () => {
    const { message, build } = await upload({ service_number: '11', compare_sha: shaOf('4').slice(0, 10) });
    expect(build.base).toMatchObject({ commit_sha: shaOf('4'), rule: 'compare-sha' });
    expect([message, warningsOf(build)]).toEqual([['Job #11.1'], []]);
  });

  test.each([
    [
      '12',
      { compare_ref: 'nxt' },
      'compare_ref "nxt": no closed build of this repo is on a branch, or of a tag, of that name',
    ],
    ['13', { compare_sha: '0123456789' }, 'compare_sha "0123456789": no build of this repo is for that commit'],
    ['14', { compare_sha: 'main' }, 'compare_sha "main": no build of this repo is for that commit'],
  ])('and is not there, is said: %s %j', async (service_number, asked, sentence) => {
    await expectWarned({ service_number, ...asked }, `${sentence}; ${OTHERWISE}.`);
  });

  test('and arrives later, is the base then', async () => {
    const whole = `f00dfeed00${'1'.repeat(30)}`;
    const asked = { service_pull_request: '5', compare_sha: 'f00dfeed00' };
    const { build } = await upload({ service_number: '15', commit_sha: shaOf('15'), ...asked });
    expect(warningsOf(build).join()).toContain('compare_sha "f00dfeed00"');
    await upload({ service_number: '16', commit_sha: whole, git: { branch: 'late' } });
    const again = await waitFor(
      async () => {
        const { json } = await service.api.buildJson(build.id);
        return json.base?.rule === 'compare-sha' ? json : undefined;
      },
      { what: 'the base that arrived', intervalMs: 5, meanwhile: service.time.skipPause },
    );
    expect(again.base).toMatchObject({ commit_sha: whole });
    expect(warningsOf(again)).toEqual([]);
  });
});

describe('a commit that is given in short', () => {
  const says = (why: string, commit: string) =>
    `The commit "${commit}" is shortened, and ${why}. Can’t post a commit status. Send all its digits.`;

  test('is the one of this repo that begins so', async () => {
    const { message, told, build } = await upload({ service_number: '17', commit_sha: shaOf('4').slice(0, 7) });
    expect([build.commit_sha, message, told]).toEqual([shaOf('4'), ['Job #17.1'], []]);
  });

  test('and is not known, is said', async () => {
    const sentence = says('no build of this repo is of a commit that begins so', '0123456');
    const build = await expectWarned({ service_number: '18', commit_sha: '0123456' }, sentence, 'Job 18.1: ');
    expect(build.commit_sha).toBe('0123456');
  });

  test('and may be several, is said', async () => {
    for (const [number, end] of [
      ['25', '1'],
      ['26', '2'],
    ] as const)
      await upload({ service_number: number, commit_sha: `beefbee${end.repeat(33)}` });
    const sentence = says('several commits of this repo begin so', 'beefbee');
    await expectWarned({ service_number: '27', commit_sha: 'beefbee' }, sentence, 'Job 27.1: ');
  });
});

describe('source files', () => {
  const covered = { name: 'c', coverage: [1] };

  test('without coverage are said', async () => {
    const sentence =
      '"coverage" is missing or null, so that no line counts, in 2 source files, the first "a". ' +
      'Send a list, [] if it is empty.';
    const files = { source_files: [{ name: 'a' }, { name: 'b', coverage: null }, covered] };
    const build = await expectWarned({ service_number: '20', ...files }, sentence, 'Job 20.1: ');
    expect(build.relevant_lines).toBe(1);
  });

  test('with a misspelt key are said', async () => {
    const sentence = '"branchs" is not a key of a source file; did you mean "branches"? It is in the source file "c".';
    const files = { source_files: [{ ...covered, branchs: [1, 0, 0, 1] }] };
    await expectWarned({ service_number: '21', ...files }, sentence, 'Job 21.1: ');
  });
});

describe('an upload without', () => {
  test('a commit is told that no status can be posted, and what to set', async () => {
    const sentence =
      'Can’t post a commit status or a comment: this client sends no commit. Set COVERALLS_GIT_COMMIT ' +
      '(official reporter, npm), GIT_ID (PyPI, Ruby), the input git-commit (our action), or commit_sha in the JSON.';
    const git = { head: {}, branch: 'topic' };
    await expectWarned({ service_number: '30', commit_sha: '', git }, sentence);
  });

  test.each(['HEAD', '012345'])('a commit but the text %s is told so', async (text) => {
    const sentence =
      `Can’t post a commit status or a comment: this client sends "${text}", which names no commit. Set ` +
      'COVERALLS_GIT_COMMIT (official reporter, npm), GIT_ID (PyPI, Ruby), the input git-commit (our action), or ' +
      'commit_sha in the JSON.';
    await expectWarned({ service_number: `30 ${text}`, commit_sha: text }, sentence);
  });

  test('a branch is told what it is no part of, and what to set', async () => {
    const sentence =
      'It belongs to no branch, so no badge shows it and no later build of its branch is compared with it: this ' +
      'client sends no branch. Set COVERALLS_GIT_BRANCH (official reporter, npm), GIT_BRANCH (PyPI, Ruby, ' +
      'goveralls), the input git-branch (our action), or git.branch in the JSON.';
    await expectWarned({ service_number: '31', commit_sha: shaOf('31'), git: {} }, sentence);
  });

  test.each([
    ['coverage-service-command/0.2.0', '--service-branch, or the variable COVERALLS_GIT_BRANCH.'],
    ['coverage-service-action/0.2.0', 'the input git-branch.'],
  ])('a branch is told %s in its own words', async (agent, words) => {
    const { token } = await service.newRepo({ service: 'github', name: `acme/told-${agent.length}` });
    const sent = { ...job({ repo_token: token }), service_number: '34', commit_sha: shaOf('34'), git: {} };
    const headers = { 'content-type': 'application/json', 'user-agent': agent };
    const { text } = await service.api.send('/api/v1/jobs', { method: 'POST', headers, body: JSON.stringify(sent) });
    expect(JSON.parse(text).message).toContain(`this client sends no branch. Set ${words}`);
    expect(text).not.toContain('PyPI');
  });

  test('a branch is fine of a pull request, and one without a commit in a manual repo', async () => {
    const pull = { service_number: '32', commit_sha: shaOf('32'), service_pull_request: '7', git: {} };
    expect((await upload(pull)).told).toEqual([]);
    const manual = await service.newRepo();
    const git = { head: {}, branch: 'topic' };
    const unstated = { repo_token: manual.token, service_number: '33', commit_sha: '', git };
    expect(JSON.stringify((await upload(unstated)).told)).not.toContain('commit');
  });
});
