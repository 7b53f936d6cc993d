import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAsApp } from '../support/app-sign-in.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import type { CheckRunRecord } from '../support/github-stand-in/model.ts';
import { asMerge, atHead, atMerge, onBranch } from '../support/histories/places.ts';
import { beginMarked, type Hits, type MarkedScene, text } from '../support/marked-scene.ts';
import { type Service, startService } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
const gits: MarkedScene['git'][] = [];
beforeAll(async () => {
  github = await startGithubStandIn();
  // Late jobs wait for a close: none comes by itself while a test runs.
  service = await startService({ github, env: { ...signInAsApp(github, ['octo']), LATE_JOB_PERIOD: '1h' } });
});
afterAll(async () => {
  await service.stop();
  for (const git of gits) git.remove();
  expect(github.violations()).toEqual([]);
  await github.close();
});

const OLD = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];
/** Lines 3 to 5 and 10 are new. */
const NEW = ['m1', 'm2', 'n3', 'n4', 'n5', 'm3', 'm4', 'm5', 'm6', 'n10'];
/** Lines 3, 4 and 10 are not covered, nor is line 1, which nobody changed. */
const HITS: Hits = { 'src/a.ts': [0, 1, 0, 0, 1, 1, 1, 1, 1, 0] };
const MARKS = ['src/a.ts 3-4', 'src/a.ts 10-10'];

/** A repo whose branch topic adds lines to src/a.ts, annotated unless told otherwise. */
async function begin(settings: object = { annotations: true }): Promise<MarkedScene> {
  const scene = await beginMarked({ github, service }, { 'src/a.ts': text(...OLD), 'src/b.ts': text('b1') });
  gits.push(scene.git);
  expect(await scene.set(settings)).toMatchObject({ status: 200 });
  scene.git.switchTo('topic');
  scene.git.commit('Add lines', { 'src/a.ts': text(...NEW) });
  return scene;
}

const marksOf = (run: CheckRunRecord | undefined): readonly string[] =>
  (run?.annotations ?? []).map((one) => `${one.path} ${one.start_line}-${one.end_line}`);
/** Of the check runs of a commit, in the order in which they were made: what each marks. */
const marksOn = (scene: MarkedScene, commit: string) => scene.checkRuns(commit).map(marksOf);
const stateOf = ({ repo }: MarkedScene, commit: string) => github.lastStatuses(repo.name, commit).get('coverage')?.state;
const page = async (build: string): Promise<string> =>
  (await service.api.send(`/builds/${build}`, { headers: { authorization: `token ${service.adminToken}` } })).text;

describe('uncovered changed lines are marked on the head of a pull request', () => {
  test('that was tested itself: one check run, which says nothing of the verdict', async () => {
    const scene = await begin();
    const pull = scene.pull();
    const build = await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toMatchObject([
      {
        name: 'coverage annotations',
        status: 'completed',
        conclusion: 'neutral',
        detailsUrl: `${service.url}/builds/${build}`,
        title: '3 changed lines are not covered by tests',
        summary: expect.stringContaining(`| \`src/a.ts\` | 3 |`),
        annotations: [
          { path: 'src/a.ts', start_line: 3, end_line: 4, annotation_level: 'warning', message: expect.any(String) },
          { start_line: 10, end_line: 10, message: 'Line 10 is not covered by tests.' },
        ],
      },
    ]);
    expect(scene.checkRuns(pull.base)).toEqual([]);
    expect(stateOf(scene, pull.head)).toBe('failure');
    expect(await page(build)).toMatch(
      /check run <code>coverage annotations<\/code><\/td><td>neutral: 3 changed lines are not covered by tests; 2 places marked<\/td><td>delivered/,
    );
  });

  test.each([
    ['the head named apart', atMerge],
    ['the merge commit alone', asMerge],
  ])('that was tested as its merge commit, %s: with the lines of the head', async (_, at) => {
    const scene = await begin();
    scene.git.switchTo('main');
    scene.git.commit('Meanwhile', { 'src/a.ts': text('k1', 'k2', ...OLD), 'src/b.ts': text('b0', 'b1') });
    const pull = scene.pull();
    const lines = [1, 1, ...(HITS['src/a.ts'] ?? [])];
    await scene.built('2', at(pull), { 'src/a.ts': lines, 'src/b.ts': [0, 0] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    expect(scene.checkRuns(pull.merge)).toEqual([]);
    // Once more, what was compared is known.
    const compared = () =>
      github.requests().filter(({ path }) => path.includes(`/${scene.repo.name}/compare/${pull.head}...`)).length;
    const before = compared();
    expect(before).toBe(1);
    await scene.rerun('2');
    expect([compared(), marksOn(scene, pull.head)]).toEqual([before, [MARKS]]);
  });

  test('under the name that the file has there', async () => {
    const scene = await begin();
    scene.git.switchTo('main');
    scene.git.git('mv', 'src/a.ts', 'src/moved.ts');
    scene.git.commit('Move');
    const pull = scene.pull();
    await scene.built('2', atMerge(pull), { 'src/moved.ts': HITS['src/a.ts'] ?? [] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
  });

  test('but never on lines that nobody can tell: what was tested does not hold the head', async () => {
    const scene = await begin();
    scene.git.switchTo('other', 'main');
    const tested = scene.git.commit('Add lines elsewhere', { 'src/a.ts': text('x', ...NEW) });
    const pull = scene.pull();
    await scene.built('2', { ...atHead(pull), service_tested_sha: tested }, { 'src/a.ts': [0, ...(HITS['src/a.ts'] ?? [])] });
    const [run, ...others] = scene.checkRuns(pull.head);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ conclusion: 'neutral', annotations: [] });
    expect(run?.summary).toContain('In 1 file uncovered lines could not be found in the text of this commit');
  });

  test('with names as git has them, escaped where they are Markdown', async () => {
    const scene = await begin();
    const name = 'src/[x](evil.example) @octo|<img>`.ts';
    scene.git.commit('Add a file', { [name]: text('one', 'two') });
    const pull = scene.pull();
    await scene.built('2', atHead(pull), { [name]: [0, 1] });
    expect(marksOn(scene, pull.head)).toEqual([[`${name} 1-1`]]);
    const summary = scene.checkRuns(pull.head)[0]?.summary ?? '';
    expect(summary.replace(/``.*?``/g, '')).not.toMatch(/evil|@octo|<img/);
  });
});

describe('none is made', () => {
  test('where the repo does not ask for it', async () => {
    const scene = await begin({});
    const pull = scene.pull();
    await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toEqual([]);
    expect(stateOf(scene, pull.head)).toBe('failure');
  });

  test('for a push, a merge queue, and a change that tests cover', async () => {
    const scene = await begin();
    const pull = scene.pull();
    const queue = { commit_sha: pull.merge, git: { branch: `gh-readonly-queue/main/pr-7-${pull.base}` } };
    await scene.built('2', queue, HITS);
    await scene.built('3', atHead(pull), { 'src/a.ts': NEW.map(() => 1) });
    const pushed = scene.git.commit('Push', { 'src/a.ts': text('z', ...NEW) });
    scene.pull();
    await scene.built('4', onBranch(pushed, 'topic'), { 'src/a.ts': [0, ...NEW.map(() => 0)] });
    expect(
      [pull.merge, pull.head, pushed].map((commit) => [stateOf(scene, commit) !== undefined, scene.checkRuns(commit)]),
    ).toEqual([1, 2, 3].map(() => [true, []]));
  });
});

describe('what changes', () => {
  test('a second push has a check run of its own; that of the first stays', async () => {
    const scene = await begin();
    const first = scene.pull();
    await scene.built('2', atHead(first), HITS);
    scene.git.commit('Add one more', { 'src/b.ts': text('b1', 'b2') });
    const second = scene.pull();
    await scene.built('3', atHead(second), { ...HITS, 'src/b.ts': [1, 0] });
    expect(marksOn(scene, second.head)).toEqual([[...MARKS, 'src/b.ts 2-2']]);
    expect(marksOn(scene, first.head)).toEqual([MARKS]);
  });

  test('a late job: other lines are another check run, the same ones none, and none left is said', async () => {
    const scene = await begin();
    const pull = scene.pull();
    await scene.built('2', atHead(pull), HITS);
    await scene.upload('2', atHead(pull), { 'src/a.ts': [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    await scene.close('2');
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    await scene.built('2', atHead(pull), { 'src/a.ts': [0, 0, 1, 1, 0, 0, 0, 0, 0, 0] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS, ['src/a.ts 10-10']]);
    await scene.rerun('2');
    expect(marksOn(scene, pull.head)).toHaveLength(2);
    await scene.built('2', atHead(pull), { 'src/a.ts': [0, 0, 0, 0, 0, 0, 0, 0, 0, 3] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS, ['src/a.ts 10-10'], []]);
    expect(scene.checkRuns(pull.head).at(-1)).toMatchObject({
      name: 'coverage annotations',
      conclusion: 'success',
      title: 'Every relevant changed line is covered',
    });
  });

  test('more than fifty places: fifty are marked, the rest are named, and what changes among these is told in place', async () => {
    const scene = await begin();
    const lines = Array.from({ length: 120 }, (_, index) => `l${index + 1}`);
    scene.git.commit('Add many', { 'src/many.ts': text(...lines) });
    const pull = scene.pull();
    const hits = lines.map((_, index) => index % 2);
    await scene.built('2', atHead(pull), { ...HITS, 'src/many.ts': hits });
    const [first, ...others] = scene.checkRuns(pull.head);
    expect(others).toEqual([]);
    expect(marksOf(first)).toEqual([
      ...Array.from({ length: 48 }, (_, index) => `src/many.ts ${2 * index + 1}-${2 * index + 1}`),
      ...MARKS,
    ]);
    expect(first?.summary).toMatch(/50 places are marked.*\[12 more places are on the build’s page\]/);
    await scene.built('2', atHead(pull), { 'src/many.ts': [...Array(118).fill(0), 1] });
    const [updated, ...more] = scene.checkRuns(pull.head);
    expect(more).toEqual([]);
    expect(updated).toMatchObject({ id: first?.id, annotations: first?.annotations });
    expect(updated?.title).toBe('62 changed lines are not covered by tests');
    expect(updated?.summary).toContain('[11 more places');
  });

  test('a switch: annotations come and go on open pull requests without another upload', async () => {
    const scene = await begin({});
    const pull = scene.pull();
    await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toEqual([]);
    for (const [annotations, shown] of [
      [true, [MARKS]],
      [true, [MARKS]],
      [false, [MARKS, []]],
    ] as const) {
      expect(await scene.set({ annotations })).toMatchObject({ status: 200 });
      await scene.settled();
      expect(marksOn(scene, pull.head)).toEqual(shown);
    }
    expect(scene.checkRuns(pull.head).at(-1)).toMatchObject({ conclusion: 'neutral', title: 'Annotations are switched off' });
    await scene.rerun('2');
    expect(scene.checkRuns(pull.head)).toHaveLength(2);
  });
});

describe('while GitHub has trouble', () => {
  test('no line is marked before it says which; the status waits for nothing', async () => {
    const scene = await begin();
    scene.git.switchTo('main');
    scene.git.commit('Meanwhile', { 'src/a.ts': text('k1', 'k2', ...OLD) });
    const pull = scene.pull();
    const mend = github.faults.when(({ path }) =>
      path.includes(`/${scene.repo.name}/compare/${pull.head}...`) ? { kind: 'status', status: 502 } : undefined,
    );
    const build = await scene.built('2', atMerge(pull), { 'src/a.ts': [1, 1, ...(HITS['src/a.ts'] ?? [])] });
    expect(scene.checkRuns(pull.head)).toEqual([]);
    expect(stateOf(scene, pull.head)).toBe('failure');
    expect((await service.build(build)).verdict?.provisional).toBe(false);
    // It is asked again by itself after a minute.
    expect((await service.store.builds.find(Number(build)))?.revisitAt).toBeGreaterThan(Date.now());
    mend();
    await scene.rerun('2');
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    expect((await service.store.builds.find(Number(build)))?.revisitAt).toBeUndefined();
  });

  test('a refusal is told on the build’s page, and costs nothing else', async () => {
    const scene = await begin();
    const pull = scene.pull();
    const refusal = { kind: 'status', status: 403, message: 'Resource not accessible by integration' } as const;
    github.faults.next(1, refusal, ({ method, path }) => method === 'POST' && path.endsWith('/check-runs'));
    const build = await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toEqual([]);
    expect(stateOf(scene, pull.head)).toBe('failure');
    expect((await service.build(build)).warnings).toEqual([
      expect.stringMatching(/^The check run "coverage annotations" could not be delivered: .*`checks: write`/),
    ]);
    await scene.rerun('2');
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    expect((await service.build(build)).warnings).toEqual([]);
  });
});

test('a server that is no App refuses the setting, and says why', async () => {
  const plain = await startService({ github });
  try {
    github.addRepo('octo/plain');
    const repo = await plain.newRepo({ service: 'github', name: 'octo/plain' });
    const answer = await plain.api.send<{ message: string }>(`/api/v1/repos/github/${repo.name}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `token ${plain.adminToken}` },
      body: '{"annotations": true}',
    });
    expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining('does not sign in as a GitHub App')]);
  } finally {
    await plain.stop();
  }
});
