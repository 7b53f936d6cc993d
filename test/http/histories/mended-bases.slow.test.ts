import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../../support/coverage-api.ts';
import { closeBuild } from '../../support/histories/close-build.ts';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { everyOrder } from '../../support/histories/orders.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A base that was taken for want of a better one gives way, whenever that one comes (rules 12, 13, 18 and 20). */
let stage: Stage;
/** The same, where builds that nobody closes end soon. */
let hasty: Stage;
beforeAll(async () => {
  [stage, hasty] = await Promise.all([startStage(), startStage({ BUILD_QUIET_PERIOD: '500ms' })]);
});
afterAll(async () => {
  await Promise.all([stage.end(), hasty.end()]);
});

const BOTH: Flags = { unit: [1, 0], e2e: [1, 1] };
const pullOf = (story: Story): Pull => story.pull({ number: 7, branch: 'topic' });

interface Line {
  readonly git: CommitGraph;
  /** main; the branch topic begins at base. */
  readonly root: string;
  readonly base: string;
  readonly next: string;
  /** On a branch of that name. */
  readonly elsewhere: string;
}

/**
 * From now on whatever is read of a story's repo is answered with 502, while statuses and comments arrive. Answers what
 * ends that.
 */
function beginOutage({ github }: Stage, { repo }: Story): () => void {
  const own = `/repos/${repo}`;
  return github.faults.when(({ method, path }) =>
    method === 'GET' && (path === own || path.startsWith(`${own}/`)) ? { kind: 'status', status: 502 } : undefined,
  );
}

function lineOn(where: Stage): Line {
  const git = where.newGit();
  const root = git.commit('root', { 'root.txt': 'root\n' });
  const base = git.commit('base', { 'base.txt': 'base\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('elsewhere', root);
  const elsewhere = git.commit('elsewhere', { 'elsewhere.txt': 'elsewhere\n' });
  git.switchTo('main');
  return { git, root, base, elsewhere, next: git.commit('next', { 'next.txt': 'next\n' }) };
}

/** Uploads the flag unit and lets the deadline come. */
async function endsByDeadline(story: Story, number: string, at: Place): Promise<void> {
  await story.upload({ number, at, flag: 'unit', lines: [1, 0] });
  await hasty.service.closed((await story.build(number)).id);
  await story.settled();
  expect(await story.build(number)).toMatchObject({ closed_by: 'deadline', verdict: { state: 'incomplete' } });
}

describe('after an outage', () => {
  let line: Line;
  beforeAll(() => {
    line = lineOn(stage);
  });

  const meanwhile = (): void => stage.service.time.skipPause();

  /** Waits until a build was worked out for the first time. */
  function evaluated(story: Story, number: string): Promise<BuildJson> {
    const closed = async (): Promise<BuildJson | undefined> => {
      const build = await story.build(number);
      return build.state === 'closed' ? build : undefined;
    };
    return waitFor(closed, { what: `the first evaluation of ${number}`, meanwhile });
  }

  /** Waits until a build was worked out with what the provider says. */
  async function evaluatedAgain(story: Story, number: string): Promise<void> {
    const what = `the second evaluation of ${number}`;
    await waitFor(async () => (await story.build(number)).provisional_since === null, { what, meanwhile });
    await story.settled();
  }

  test('what a pull request was merged onto replaces what its upload said', async () => {
    const story = await stage.begin(line.git);
    await story.built('b', onBranch(line.base));
    await story.built('n', onBranch(line.next), { unit: [1, 1] });
    const pull = pullOf(story);
    const repair = beginOutage(stage, story);
    await story.upload({
      number: 'own',
      at: { ...atMerge(pull), service_base_sha: line.base },
      flag: 'unit',
      lines: [1, 0],
    });
    await story.close('own');
    const first = await evaluated(story, 'own');
    expect(first.verdict).toMatchObject({ state: 'success', provisional: true });
    expect(await story.baseOf('own')).toBe('b merge-parent 0');
    repair();
    await evaluatedAgain(story, 'own');
    expect(await story.baseOf('own')).toBe('n merge-parent 0');
    expect(story.told(pull.head).coverage).toMatch(/^failure: .* \(base [0-9a-f]{7}, merge parent/);
  });

  test('a build of the outage is a base once the provider says whose its run is', async () => {
    const git = stage.newGit();
    const main = git.commit('main', { 'main.txt': 'main\n' });
    git.switchTo('trunk');
    const trunk = git.commit('trunk', { 'trunk.txt': 'trunk\n' });
    git.switchToOrphan('alone');
    const alone = git.commit('alone', { 'alone.txt': 'alone\n' });
    const story = await stage.begin(git, { defaultBranch: 'trunk' });
    const repair = beginOutage(stage, story);
    const ends = async (
      number: string,
      commit: string,
      branch: string,
      lines: readonly number[],
    ): Promise<BuildJson> => {
      await story.upload({ number, at: { ...onBranch(commit, branch), parallel: false }, flag: 'unit', lines });
      return evaluated(story, number);
    };
    await Promise.all([ends('t', trunk, 'trunk', [1, 1]), ends('m', main, 'main', [1, 0])]);
    const first = await ends('own', alone, 'alone', [1, 0]);
    expect(first.verdict).toMatchObject({ state: 'success', provisional: true });
    // Rule 29: until then a fork may have sent them.
    expect(await story.baseOf('own')).toBe('none');
    repair();
    await evaluatedAgain(story, 'own');
    expect(await story.baseOf('own')).toBe('t default-branch');
    expect(story.told(alone).coverage).toMatch(/^failure: .* \(base [0-9a-f]{7}, /);
  });

  test('nothing was said at a commit that turns out to be the temporary merge commit (rule 21)', async () => {
    const story = await stage.begin(line.git);
    await story.built('n', onBranch(line.next));
    const pull = pullOf(story);
    const repair = beginOutage(stage, story);
    await story.upload({ number: 'own', at: asMerge(pull), flag: 'unit', lines: [1, 0] });
    await story.close('own');
    const first = await evaluated(story, 'own');
    expect(first.verdict).toMatchObject({ provisional: true });
    repair();
    await evaluatedAgain(story, 'own');
    expect(await story.baseOf('own')).toBe('n merge-parent 0');
    expect(stage.github.statuses(story.repo, pull.merge)).toEqual([]);
    expect(story.told(pull.head)).toEqual({
      coverage: expect.stringMatching(/^success: 50\.00%, unchanged \(base [0-9a-f]{7}, merge parent/),
      'coverage (unit)': expect.stringMatching(/^success: 50\.00%, unchanged \(base [0-9a-f]{7}, merge parent/),
    });
  });
});

describe('an incomplete build of the merge base (rule 13)', () => {
  let line: Line;
  beforeAll(() => {
    line = lineOn(hasty);
  });

  /** The pull request’s build looks past main’s, which lacks a flag of the one before. */
  async function lookedPast(): Promise<{ readonly story: Story; readonly pull: Pull }> {
    const story = await hasty.begin(line.git);
    await story.built('0', onBranch(line.root), BOTH);
    await endsByDeadline(story, 'b', onBranch(line.base));
    const pull = pullOf(story);
    await story.built('own', atHead(pull));
    await story.settled();
    expect(await story.baseOf('own')).toBe('0 ancestor 1');
    return { story, pull };
  }

  test('is taken once the flag that it lacked has come', async () => {
    const { story, pull } = await lookedPast();
    await story.upload({ number: 'b', at: onBranch(line.base), flag: 'e2e', lines: [1, 1] });
    await story.close('b');
    await story.settled();
    expect(await story.baseOf('own')).toBe('b merge-base 0');
    expect(story.told(pull.head)['coverage (e2e)']).toMatch(/^success: not reported; last 100\.00% in [0-9a-f]{7}$/);
  });

  test('gives way to a complete one of the same commit', async () => {
    const { story, pull } = await lookedPast();
    await story.built('c', onBranch(line.base), BOTH);
    await story.settled();
    expect(await story.baseOf('own')).toBe('c merge-base 0');
    expect(story.told(pull.head)['coverage (e2e)']).toMatch(/^success: not reported; last 100\.00% in [0-9a-f]{7}$/);
  });

  type Step = 'b ends incomplete' | 'own closes' | '0 closes';
  const ORDERS = everyOrder<Step>(['b ends incomplete'], ['own closes'], ['0 closes']);

  test('gives way to a complete one of a commit before it, in every order', async () => {
    const tellers = await Promise.all(
      ORDERS.map(async (order) => {
        const story = await hasty.begin(line.git);
        const pull = pullOf(story);
        // What b lacks is a flag of the build that it names as its base.
        await story.built('elsewhere', onBranch(line.elsewhere, 'elsewhere'), BOTH);
        const steps: Readonly<Record<Step, () => Promise<unknown>>> = {
          'b ends incomplete': () => endsByDeadline(story, 'b', { ...onBranch(line.base), compare_ref: 'elsewhere' }),
          '0 closes': () => story.built('0', onBranch(line.root)),
          'own closes': () => story.built('own', atHead(pull)),
        };
        return { order, story, pull, steps };
      }),
    );
    for (const place of [0, 1, 2]) {
      await Promise.all(tellers.map(async ({ order, steps }) => steps[order[place] ?? '0 closes']()));
      await tellers[0]?.story.settled();
      const waiting = tellers.filter(({ order }) => place === 1 && order[2] === '0 closes');
      for (const { order, story } of waiting)
        expect(await story.baseOf('own'), order.join(', ')).toBe('b merge-base 0');
    }
    for (const { order, story, pull } of tellers) {
      expect(await story.baseOf('own'), order.join(', ')).toBe('0 ancestor 1');
      expect(story.told(pull.head).coverage, order.join(', ')).toMatch(/^success: 50\.00%, unchanged \(base /);
    }
  });
});

describe('a pull request that was merged before its first job came', () => {
  const rows: readonly (readonly [how: string, place: (pull: Pull) => Place, expected: string])[] = [
    ['its head', atHead, 'b merge-base 0'],
    ['its merge commit, told apart', atMerge, 'b merge-parent 0'],
    ['its merge commit, sent as the commit', asMerge, 'b merge-parent 0'],
  ];
  test.each(rows)(
    'is compared with main as it was before, never with itself: tested at %s',
    async (_, place, expected) => {
      const git = hasty.newGit();
      const base = git.commit('base', { 'base.txt': 'base\n' });
      git.switchTo('topic');
      git.commit('topic', { 'topic.txt': 'topic\n' });
      git.switchTo('main');
      const story = await hasty.begin(git);
      const pull = pullOf(story);
      const landed = git.merge('topic');
      story.push();
      const { head: headSha, branch: headRef, baseBranch: baseRef, base: baseSha } = pull;
      const refs = { headSha, headRef, baseRef, baseSha };
      hasty.github.addPullRequest(story.repo, {
        number: 7,
        ...refs,
        mergeCommitSha: landed,
        state: 'closed',
        merged: true,
      });
      await story.built('b', onBranch(base), { unit: [1, 1] });
      await story.built('head', onBranch(pull.head, 'topic'));
      await story.built('landed', onBranch(landed));
      await story.built('own', place(pull));
      await story.settled();
      expect(await story.baseOf('own')).toBe(expected);
      expect(await story.baseOf('landed')).toBe('b ancestor 1');
      expect(story.told(pull.head).coverage).toMatch(/^failure: .* from 100\.00%: .*\(base /);
    },
  );
});

test('without a provider, a push’s build takes the one before it on its branch, though that closes later', async () => {
  const { service } = stage;
  const { token } = await service.newRepo();
  const upload = async (number: string): Promise<string> => {
    const place = { service_number: number, commit_sha: shaOf(`commit ${number}`), parallel: true };
    return (await service.upload(job({ repo_token: token, ...place }))).build;
  };
  const [first, second] = [await upload('1'), await upload('2')];
  const closed = await closeBuild(service, { token, build: second, number: '2' });
  expect(closed).toMatchObject({ base: null, verdict: { rule: 'first-build' } });
  await closeBuild(service, { token, build: first, number: '1' });
  const base = await waitFor(async () => (await service.build(second)).base, {
    what: 'the base of build 2',
    intervalMs: 5,
  });
  expect(base).toMatchObject({ build: first, rule: 'previous-on-branch' });
});
