import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Story } from '../../support/histories/story.ts';

/** Rules 15 and 16: a carried report is laid on the text that it was made from, wherever its lines are now. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const some = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);
const OLD = some(10, 'old');
const NEW = some(10, 'new');
const covered = (count: number): readonly number[] => Array<number>(count).fill(1);
const V = 'src/v.ts';

/** main has u.ts and v.ts with a build; topic changes u.ts; then main puts ten uncovered lines on top of v.ts. */
async function begin() {
  const git = stage.newGit();
  const first = git.commit('first', { 'src/u.ts': text('u'), [V]: text(...OLD) });
  git.switchTo('topic');
  git.commit('topic', { 'src/u.ts': text('u', 'u2') });
  git.switchTo('main');
  const story = await stage.begin(git);
  await story.built('1', onBranch(first), { u: [1], v: covered(10) });
  return { git, story };
}

/** main continues; the build of it has both flags. */
async function mainGoesOn(git: CommitGraph, story: Story): Promise<void> {
  git.switchTo('main');
  const next = git.commit('second', { [V]: text(...NEW, ...OLD) });
  story.push();
  await story.built('2', onBranch(next), { u: [1], v: [...Array<number>(10).fill(0), ...covered(10)] });
}

const hitsOf = async ({ id }: BuildJson, file: string): Promise<readonly (number | null)[] | undefined> => {
  const headers = { authorization: `token ${stage.service.adminToken}` };
  const path = `/builds/${id}/source.json?filename=${encodeURIComponent(file)}`;
  const { status, json } = await stage.service.api.send<readonly (number | null)[]>(path, { headers });
  return status === 200 ? json : undefined;
};
const commitOf = ({ commit_sha }: BuildJson) => commit_sha?.slice(0, 7);
const flagV = ({ flags }: BuildJson) => flags.find(({ name }) => name === 'v');
const ownPart = (at: Place, number = '3') => ({ number, at, flag: 'u', lines: [1, 1] });

describe('a pull request whose base branch continued', () => {
  test.each<[string, (pull: Pull) => Place]>([
    ['tested at its head', atHead],
    ['tested at the merge commit of before', atMerge],
  ])('%s: what its own code was measured by is carried', async (_, place) => {
    const { git, story } = await begin();
    const pull = story.pull({ number: 7, branch: 'topic' });
    await story.upload(ownPart(place(pull)));
    await mainGoesOn(git, story);
    const build = await story.close('3', 'v');
    await story.settled();
    expect(await hitsOf(build, V)).toEqual(covered(10));
    expect(build).toMatchObject({ covered_lines: 12, relevant_lines: 12, verdict: { state: 'success' }, warnings: [] });
    const origin = await story.build('1');
    expect(flagV(build)).toMatchObject({
      covered_percent: 100,
      verdict: { state: 'success', rule: 'carried', explanation: `100.00%, carried from ${commitOf(origin)}.` },
      carried_from: { build: origin.id },
    });
    expect(story.told(pull.head)).toEqual({
      coverage: expect.stringMatching(/^success: 100\.00%, unchanged/),
      'coverage (u)': expect.stringMatching(/^success: 100\.00%, unchanged/),
      'coverage (v)': `success: 100.00%, carried from ${commitOf(origin)}`,
    });
  });

  test('a build that is closed again keeps where its flags are from (rule 12)', async () => {
    const { git, story } = await begin();
    const pull = story.pull({ number: 7, branch: 'topic' });
    await story.upload(ownPart(atHead(pull)));
    const before = await story.close('3', 'v');
    await mainGoesOn(git, story);
    await story.upload({ number: '3', at: atHead(pull), flag: 'late', lines: [0] });
    const build = await story.close('3');
    expect([flagV(build)?.carried_from?.build, await hitsOf(build, V)]).toEqual([
      flagV(before)?.carried_from?.build,
      covered(10),
    ]);
  });

  test('once the build of its merge base is there, flags are carried from that', async () => {
    const { git, story } = await begin();
    git.switchTo('main');
    const fork = git.commit('fork', { [V]: text('top', ...OLD) });
    git.switchTo('later', 'main');
    git.commit('later', { 'src/u.ts': text('u', 'u2') });
    git.switchTo('main');
    const pull = story.pull({ number: 8, branch: 'later' });
    await story.upload(ownPart(atHead(pull)));
    const first = await story.close('3', 'v');
    expect([await story.baseOf('3'), await hitsOf(first, V)]).toEqual(['1 ancestor 1', [null, ...covered(10)]]);
    await story.built('fork', onBranch(fork), { u: [1], v: [0, ...covered(10)] });
    await story.settled();
    const build = await story.build('3');
    expect([await story.baseOf('3'), await hitsOf(build, V)]).toEqual(['fork merge-base 0', [0, ...covered(10)]]);
  });
});

describe('a report whose commit is no ancestor of what was tested', () => {
  /** The pull request's earlier head has v, its rebased one does not run it. */
  async function rebased() {
    const { git, story } = await begin();
    git.switchTo('topic');
    git.commit('more', { [V]: text('gone', ...OLD.slice(0, 5), 'own', ...OLD.slice(5)) });
    git.switchTo('main');
    const earlier = story.pull({ number: 7, branch: 'topic' });
    const hits = [1, ...covered(5), 0, ...covered(4), 0];
    await story.built('2', atHead(earlier), { u: [1, 1], v: hits });
    git.switchTo('main');
    git.commit('second', { [V]: text(...NEW, ...OLD) });
    git.switchTo('topic');
    git.rebase('main');
    git.commit('back', { [V]: text(...NEW, ...OLD, 'last') });
    git.switchTo('main');
    const pull = story.pull({ number: 7, branch: 'topic' });
    await story.upload(ownPart(atHead(pull)));
    return { git, story, pull };
  }
  const MOVED = [...Array<null>(10).fill(null), ...covered(9), 0];

  test('after a rebase: its lines are moved by what the two texts differ in', async () => {
    const { story } = await rebased();
    const build = await story.close('3', 'v');
    expect(flagV(build)?.carried_from?.build).toBe((await story.build('2')).id);
    expect(await hitsOf(build, V)).toEqual(MOVED);
    expect(build).toMatchObject({ covered_lines: 11, relevant_lines: 12, warnings: [] });
    // From where the two part: once each way, and never again.
    const earlier = String((await story.build('2')).commit_sha);
    const asked = () => stage.github.requests().filter(({ path }) => path.includes(earlier)).length;
    const before = asked();
    expect(stage.github.requests().filter(({ path }) => path.includes(`/compare/${earlier}...`))).toHaveLength(1);
    await story.upload({ number: '3', at: {}, flag: 'u', lines: [1, 0] });
    await story.close('3');
    expect(asked()).toBe(before);
  });

  test('where nobody knows what they differ in, its files are left out, with a warning', async () => {
    const { story } = await rebased();
    const { head } = story.pull({ number: 7, branch: 'topic' });
    const earlier = (await story.build('2')).commit_sha;
    const isOfOrigin = ({ path }: { readonly path: string }) => path.includes(`${earlier}...${head}`);
    const repair = stage.github.faults.when((one) => (isOfOrigin(one) ? { kind: 'status', status: 404 } : undefined));
    const build = await story.close('3', 'v');
    repair();
    await story.settled();
    expect(await hitsOf(build, V)).toBeUndefined();
    expect(build).toMatchObject({ covered_lines: 2, relevant_lines: 2 });
    expect(build.warnings).toEqual([
      '1 file of carried flags changed since, or may have, and is left out: where the lines are now is not known.',
    ]);
    expect(flagV(build)?.verdict).toMatchObject({ state: 'success', rule: 'carried' });
    expect(story.told(head)['coverage (v)']).toBe(
      `success: no relevant lines, carried from ${commitOf(await story.build('2'))}`,
    );
  });

  test('while the host does not answer, the verdict is provisional, and moved once it does', async () => {
    const { story, pull } = await rebased();
    const earlier = (await story.build('2')).commit_sha;
    const repair = stage.github.faults.when(({ path }) =>
      path.includes(`/compare/${earlier}...`) ? { kind: 'status', status: 502 } : undefined,
    );
    const first = await story.close('3', 'v');
    expect(first.provisional_since).not.toBeNull();
    expect(await hitsOf(first, V)).toBeUndefined();
    repair();
    await story.settled();
    const build = await story.build('3');
    expect([build.provisional_since, await hitsOf(build, V)]).toEqual([null, MOVED]);
    expect(story.told(pull.head)['coverage (v)']).toBe(`success: 90.00%, carried from ${earlier?.slice(0, 7)}`);
  });
});

describe('a flag that skipped its base', () => {
  const push = (git: CommitGraph, name: string): Place => onBranch(git.commit(name, { 'src/v.ts': text(name) }));

  test('is compared with its nearest report before the base, which is named', async () => {
    const git = stage.newGit();
    const places = [1, 2, 3, 4, 5].map((step) => push(git, `step ${step}`));
    const story = await stage.begin(git);
    await story.built('70', places[0] as Place, { u: [1], v: [1, 1] });
    await story.built('71', places[1] as Place, { u: [1], v: [1, 0] });
    await story.built('72', places[2] as Place, { u: [1] });
    const build = await story.built('73', places[3] as Place, { u: [1], v: [1, 1, 0, 0, 0] });
    const earlier = `from 50.00% in ${String(places[1]?.commit_sha).slice(0, 7)}`;
    await story.settled();
    expect(flagV(build)).toMatchObject({
      coverage_change: -10,
      verdict: {
        state: 'failure',
        rule: 'no-decrease',
        explanation: expect.stringContaining(`40.00%, −10.00 points ${earlier}: no decrease allowed`),
      },
    });
    const told = story.told(String((places[3] as { commit_sha: string }).commit_sha));
    expect(told['coverage (v)']).toContain(`failure: 40.00%, −10.00 points ${earlier}: no decrease allowed`);
    const headers = { authorization: `token ${stage.service.adminToken}`, accept: 'text/html' };
    const { text: page } = await stage.service.api.send(`/builds/${build.id}`, { headers });
    expect(page).toContain(earlier);
    // The next has it in its base again.
    const next = await story.built('74', places[4] as Place, { u: [1], v: [1, 1, 0, 0, 0] });
    expect(flagV(next)?.verdict).toMatchObject({ state: 'success', rule: 'no-decrease' });
  });
});
