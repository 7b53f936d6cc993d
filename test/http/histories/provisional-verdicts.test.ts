import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceTimeUntil, skipHangs } from '../../support/advance-time-until.ts';
import type { Fault } from '../../support/github-stand-in/faults.ts';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, atMerge, onBranch, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Story } from '../../support/histories/story.ts';
import { waitFor } from '../../support/wait-for.ts';

let stage: Stage;
let git: CommitGraph;
/** main: base and later. The branch topic begins at base. */
let main: readonly string[];
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  const base = git.commit('base', { 'main.txt': 'base\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
  main = [base, git.commit('later', { 'main.txt': 'later\n' })];
});
afterAll(() => stage.end());

/** A story whose base build is half covered and whose later build on main is fully covered. */
async function begin(): Promise<{ readonly story: Story; readonly pull: Pull }> {
  const story = await stage.begin(git);
  await story.built('1', onBranch(main[0] ?? ''));
  await story.built('2', onBranch(main[1] ?? ''), { unit: [1, 1] });
  return { story, pull: story.pull({ number: 7, branch: 'topic' }) };
}

/** What is read of a repo meets the fault; statuses and comments arrive. */
const failReads = ({ repo }: Story, fault: Fault): (() => void) =>
  stage.github.faults.when(({ method, path }) =>
    method === 'GET' && path.startsWith(`/repos/${repo}/`) ? fault : undefined,
  );

const meanwhile = (): void => skipHangs(stage.github, stage.service.time)();

const OUTAGES: readonly (readonly [what: string, fault: Fault])[] = [
  ['server errors', { kind: 'status', status: 502 }],
  ['no answer at all', { kind: 'hang' }],
];

test.each(OUTAGES)(
  'with %s the verdict is provisional and its statuses wait for the second evaluation',
  async (_, fault) => {
    const { story, pull } = await begin();
    const repair = failReads(story, fault);
    const at = {
      ...atHead(pull),
      service_base_branch: 'main',
      git: { branch: 'topic', head: { id: pull.head, message: 'topic' } },
    };
    await advanceTimeUntil(story.upload({ number: 'own', at, flag: 'unit', lines: [1, 0] }), meanwhile);
    await waitFor(() => story.told(pull.head).coverage, { what: 'the pending status', meanwhile });
    await advanceTimeUntil(story.close('own'), meanwhile);
    const first = await waitFor(
      async () => {
        const build = await story.build('own');
        return build.state === 'closed' ? build : undefined;
      },
      { what: 'the first evaluation', meanwhile },
    );
    expect(first).toMatchObject({
      verdict: { state: 'failure', provisional: true },
      provisional_since: expect.any(String),
    });
    expect(await story.baseOf('own')).toBe('2 base-branch');
    const waiting = Object.values(story.told(pull.head)).map((text) => text.split(':', 1)[0]);
    expect([...new Set(waiting)]).toEqual(['pending']);
    expect(stage.github.comments(story.repo, 7)).toEqual([]);
    repair();
    const final = await waitFor(
      async () => {
        const build = await story.build('own');
        return build.provisional_since === null ? build : undefined;
      },
      { what: 'the second evaluation', meanwhile },
    );
    await advanceTimeUntil(story.settled(), meanwhile);
    expect(final).toMatchObject({ verdict: { state: 'success', provisional: false } });
    expect(await story.baseOf('own')).toBe('1 merge-base 0');
    expect(story.told(pull.head)).toEqual({
      coverage: expect.stringMatching(/^success: 50\.00%, unchanged/),
      'coverage (unit)': expect.stringMatching(/^success: 50\.00%, unchanged/),
    });
    expect(stage.github.comments(story.repo, 7)).toHaveLength(1);
  },
);

test.each([404, 410, 422])('a definite answer, %i, makes nothing provisional', async (status) => {
  const { story, pull } = await begin();
  failReads(story, { kind: 'status', status });
  await story.built('own', { ...atMerge(pull), service_base_sha: main[0] });
  expect((await story.build('own')).verdict).toMatchObject({ state: 'success', provisional: false });
  expect(await story.baseOf('own')).toBe('1 merge-parent 0');
  await waitFor(() => story.told(pull.head).coverage?.startsWith('success'), {
    what: 'the final status',
    meanwhile,
  });
});
