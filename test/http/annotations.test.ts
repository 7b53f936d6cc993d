import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asMerge, atHead, atMerge, onBranch } from '../support/histories/places.ts';
import {
  HITS,
  LINES,
  MARKS,
  type MarkedStage,
  marksOn,
  NEW,
  OLD,
  startMarkedStage,
  text,
} from '../support/marked-scene.ts';
import { startService } from '../support/service.ts';

let stage: MarkedStage;
beforeAll(async () => {
  stage = await startMarkedStage();
});
afterAll(() => stage.end());

const page = async (build: string): Promise<string> => {
  const { api, adminToken } = stage.service;
  return (await api.send(`/builds/${build}`, { headers: { authorization: `token ${adminToken}` } })).text;
};

describe('uncovered changed lines are marked on the head of a pull request', () => {
  test('that was tested itself: one check run, which says nothing of the verdict', async () => {
    const scene = await stage.begin();
    const pull = scene.pull();
    const build = await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toMatchObject([
      {
        name: 'coverage annotations',
        status: 'completed',
        conclusion: 'neutral',
        detailsUrl: `${stage.service.url}/builds/${build}`,
        title: '3 changed lines are not covered by tests',
        summary: expect.stringContaining(`| \`src/a.ts\` | 3 |`),
        annotations: [
          { path: 'src/a.ts', start_line: 3, end_line: 4, annotation_level: 'warning', message: expect.any(String) },
          { start_line: 10, end_line: 10, message: 'Line 10 is not covered by tests.' },
        ],
      },
    ]);
    expect(scene.checkRuns(pull.base)).toEqual([]);
    expect(scene.stateOf(pull.head)).toBe('failure');
    const shown = (await page(build)).split('Check run <code>coverage annotations</code>')[1]?.split('</tr>')[0];
    expect(shown).toContain('aria-label="neutral:"');
    expect(shown).toContain('3 changed lines are not covered by tests; 2 places marked</td>');
    expect(shown).toContain('<time ');
  });

  test.each([
    ['the head named apart', atMerge],
    ['the merge commit alone', asMerge],
  ])('that was tested as its merge commit, %s: with the lines of the head', async (_, at) => {
    const scene = await stage.begin();
    scene.git.switchTo('main');
    scene.git.commit('Meanwhile', { 'src/a.ts': text('k1', 'k2', ...OLD), 'src/b.ts': text('b0', 'b1') });
    const pull = scene.pull();
    const lines = [1, 1, ...LINES];
    await scene.built('2', at(pull), { 'src/a.ts': lines, 'src/b.ts': [0, 0] });
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
    expect(scene.checkRuns(pull.merge)).toEqual([]);
    // Once more, what was compared is known.
    const compared = () =>
      stage.github.requests().filter(({ path }) => path.includes(`/${scene.repo.name}/compare/${pull.head}...`)).length;
    const before = compared();
    expect(before).toBe(1);
    await scene.rerun('2');
    expect([compared(), marksOn(scene, pull.head)]).toEqual([before, [MARKS]]);
  });

  test('under the name that the file has there', async () => {
    const scene = await stage.begin();
    scene.git.switchTo('main');
    scene.git.rename('src/a.ts', 'src/moved.ts');
    scene.git.commit('Move');
    const pull = scene.pull();
    await scene.built('2', atMerge(pull), { 'src/moved.ts': LINES });
    expect(marksOn(scene, pull.head)).toEqual([MARKS]);
  });

  test('but never on lines that nobody can tell: what was tested does not hold the head', async () => {
    const scene = await stage.begin();
    scene.git.switchTo('other', 'main');
    const tested = scene.git.commit('Add lines elsewhere', { 'src/a.ts': text('x', ...NEW) });
    const pull = scene.pull();
    await scene.built('2', { ...atHead(pull), service_tested_sha: tested }, { 'src/a.ts': [0, ...LINES] });
    const [run, ...others] = scene.checkRuns(pull.head);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ conclusion: 'neutral', annotations: [] });
    expect(run?.summary).toContain('In 1 file missed lines could not be found in the text of this commit');
  });

  test('with names as git has them, escaped where they are Markdown', async () => {
    const scene = await stage.begin();
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
    const scene = await stage.begin({});
    const pull = scene.pull();
    await scene.built('2', atHead(pull), HITS);
    expect(scene.checkRuns(pull.head)).toEqual([]);
    expect(scene.stateOf(pull.head)).toBe('failure');
  });

  test('for a push, a merge queue, and a change that tests cover', async () => {
    const scene = await stage.begin();
    const pull = scene.pull();
    const queue = { commit_sha: pull.merge, git: { branch: `gh-readonly-queue/main/pr-7-${pull.base}` } };
    await scene.built('2', queue, HITS);
    await scene.built('3', atHead(pull), { 'src/a.ts': NEW.map(() => 1) });
    const pushed = scene.git.commit('Push', { 'src/a.ts': text('z', ...NEW) });
    scene.pull();
    await scene.built('4', onBranch(pushed, 'topic'), { 'src/a.ts': [0, ...NEW.map(() => 0)] });
    expect(
      [pull.merge, pull.head, pushed].map((commit) => [scene.stateOf(commit) !== undefined, scene.checkRuns(commit)]),
    ).toEqual([1, 2, 3].map(() => [true, []]));
  });
});

test('a server that is no App refuses the setting, and says why', async () => {
  const plain = await startService({ github: stage.github });
  try {
    stage.github.addRepo('octo/plain');
    const repo = await plain.newRepo({ service: 'github', name: 'octo/plain' });
    const answer = await plain.api.send<{ message: string }>(`/api/v1/repos/github/${repo.name}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `token ${plain.adminToken}` },
      body: '{"annotations": true}',
    });
    expect([answer.status, answer.json.message]).toEqual([
      422,
      expect.stringContaining('does not sign in as a GitHub App'),
    ]);
  } finally {
    await plain.stop();
  }
});
