import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, onBranch, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';

/** What a repo is told of lines that flip without a change of their text, and when they are forgiven. */

const BUILDS = 55;
/** Out of 7 lines. */
const WORTH = { usually_worth: 200 / 7 };

let stage: Stage;
/** Commits of main, oldest first. */
let main: readonly string[];
let story: Story;
let pull: Pull;
/** It left main after 51 builds. */
let early: Pull;
beforeAll(async () => {
  stage = await startStage();
  const git: CommitGraph = stage.newGit();
  const texts = { 'src/race.ts': 'a\nb\n\nd\n', 'src/db.ts': 'w\nx\ny\nz\n' };
  main = Array.from({ length: BUILDS }, (_, at) => git.commit(`main ${at}`, { ...texts, 'main.txt': `${at}\n` }));
  git.switchTo('docs', 'main');
  git.commit('docs', { 'docs.txt': 'new\n' });
  git.switchTo('early', main[50]);
  git.commit('early', { 'docs.txt': 'newer\n' });
  git.switchTo('main');
  story = await stage.begin(git);
  pull = story.pull({ number: 7, branch: 'docs' });
  early = story.pull({ number: 8, branch: 'early' });
});
afterAll(() => stage.end());

/** Two lines of a race, with a line between them that is not relevant; `db` never flips. */
const race = (isLucky: boolean): Flags => ({ race: isLucky ? [1, 1, null, 1] : [1, 0, null, 0], db: [1, 1, 1, 0] });

/** Builds of main that miss the race. */
async function grow(from: number, to: number, misses: (at: number) => boolean): Promise<void> {
  for (let at = from; at < to; at += 1) await story.built(`${at + 1}`, onBranch(main[at] ?? ''), race(!misses(at)));
}

async function ignoreFlips(isOn: boolean): Promise<void> {
  const { api, adminToken } = stage.service;
  const headers = { 'content-type': 'application/json', authorization: `token ${adminToken}` };
  const path = `/api/v1/repos/github/${story.repo}/settings`;
  const body = JSON.stringify({ ignore_unstable_lines: isOn });
  expect((await api.send(path, { method: 'PUT', headers, body })).status).toBe(200);
}

/** A page of the repo, or its JSON, as an administrator reads it. */
const read = (path: string): Promise<string> => readAt(`/github/${story.repo}/${path}`);
const pageOf = ({ id }: { readonly id: string }): Promise<string> => readAt(`/builds/${id}`);

async function readAt(path: string): Promise<string> {
  const headers = { authorization: `token ${stage.service.adminToken}`, accept: 'text/html' };
  const answer = await fetch(`${stage.service.url}${path}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('lines of a race that one build in ten misses', () => {
  test('are nothing special before they have flipped often enough', async () => {
    await grow(0, 6, (at) => at === 5);
    const build = await story.built('100', atHead(pull), race(true));
    expect(build.cause?.parts ?? []).toEqual([]);
  });

  test('are a cause of their own once they have, and fail as before, even where they are to be ignored', async () => {
    await grow(6, 22, (at) => at % 10 === 5);
    await ignoreFlips(true);
    const build = await story.built('101', atHead(pull), race(false));
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'no-decrease' });
    expect(build.cause?.parts).toEqual([{ part: 'unstable', points: '-28.57%' }]);
    expect(build.cause?.sentence).toContain('2 lines flip without a change of the text');
    await story.settled();
    expect(stage.github.comments(story.repo, 7)[0]?.body).toContain('2 lines flip without a change of the text');
  });

  test('are forgiven once the branch has 50 builds, if the repo asks for it', async () => {
    await grow(22, 51, (at) => at % 10 === 5);
    const forgiven = await story.built('102', atHead(pull), race(false));
    expect(forgiven.verdict).toMatchObject({ state: 'success' });
    expect(forgiven.verdict?.explanation).toContain('lines that flip without a change alone do not fail');
    await ignoreFlips(false);
    expect((await story.built('103', atHead(pull), race(false))).verdict).toMatchObject({ state: 'failure' });
  });

  test('are marked in the build that misses them, and in their file', async () => {
    const build = await story.build('102');
    const block = { file: 'src/race.ts', first: 2, last: 4, lines: 2, covered: 45, known: 50, lost_since: null };
    expect(build.flips).toMatchObject({ branch: 'main', missed: [block] });
    expect(await pageOf(build)).toContain('flips without a change</a></span>');
    const file = await read(`builds/${build.id}/file/src/race.ts`);
    expect(file).toContain('2 lines flip</a>');
    expect(file).toMatch(/<span class="flips">.*flips without a change<\/span>/s);
    expect(file).toMatch(/<b>Lines 2–4 flip without a change\.<\/b> <svg class="strip".*Covered in 45 of the last 50/s);
    expect(file.match(/<span title="flips without a change">/g)).toHaveLength(2);
    // In the base, by its own branch; nothing of what never flips.
    expect(await read(`builds/${build.base?.build}/file/src/race.ts`)).toContain('2 lines flip</a>');
    const other = await read(`builds/${build.id}/file/src/db.ts`);
    expect(other).not.toContain('flip</a>');
    expect(other).not.toContain('class="flips"');
  });

  test('are listed with their last states, for those who fix tests', async () => {
    const { blocks, ...listed } = JSON.parse(await read('flipping.json'));
    expect(listed).toEqual({ branch: 'main', builds: 51, complete: true, usually_missed: [0, 1], total: 1, ...WORTH });
    expect(blocks).toMatchObject([{ file: 'src/race.ts', first: 2, last: 4, lines: 2, covered: 45, known: 50 }]);
    expect(blocks[0].states).toMatch(/^1{5}0(?:1{9}0){4}1{4}$/);
    const page = await read('flipping');
    expect(page).toContain('misses 0 to 1 of them, which is worth up to 28.57 points');
    // The first of them failed at its close, and was judged again when a nearer base was there.
    const [again, forgiven] = [await story.build('101'), await story.build('102')];
    expect(blocks[0].forgiven_in).toMatchObject([
      { build: forgiven.id, pull_request: 7 },
      { build: again.id, pull_request: 7 },
    ]);
    expect(page).toMatch(/forgiven 2 times, last in <a href="[^"]*\/pulls?\/7">#7<\/a>/);
    expect(page).not.toContain('<select name="branch"');
    expect(page).toContain('aria-label="covered in 45 of 50 builds"');
    const nowhere = await read('flipping?branch=nowhere');
    expect(nowhere).toContain('Nothing is known yet');
    expect(nowhere).toContain('<option value="main">main (default)</option>');
  });

  test('hide no true loss beside them', async () => {
    await ignoreFlips(true);
    const lost = await story.built('104', atHead(pull), { ...race(false), db: [1, 0, 0, 0] });
    expect(lost.verdict).toMatchObject({ state: 'failure' });
    expect(lost.cause?.parts.map(({ part }) => part).toSorted()).toEqual(['unstable', 'untouched']);
  });

  test('make no room for a loss where main was unlucky, if they are ignored', async () => {
    await grow(51, 52, () => true);
    const gains = (number: string) => story.built(number, atHead(pull), { ...race(true), db: [1, 1, 0, 0] });
    const build = await gains('106');
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'no-decrease' });
    expect(build.verdict?.explanation).toBe(
      `Coverage is 71.42%, +14.28 points from 57.14% in ${main[51]?.slice(0, 7)}: −14.28 without lines that flip, ` +
        'no decrease allowed. 1 line outside the change lost coverage; covering 1 more line anywhere would pass.',
    );
    expect(await pageOf(build)).toContain('−14.28 without lines that flip, no decrease allowed');
    await ignoreFlips(false);
    expect((await gains('107')).verdict).toMatchObject({ state: 'success' });
  });

  test('are lost, and forgiven no more, once main misses them in more builds in a row than chance makes', async () => {
    // One that did not measure it: the row continues, and begins where it did.
    await story.built('53', onBranch(main[52] ?? ''), { race: [1, null, null, null], db: [1, 1, 1, 0] });
    await grow(53, 55, () => true);
    const build = await story.built('105', atHead(pull), race(true));
    expect(build.cause?.parts.map(({ part }) => part) ?? []).not.toContain('unstable');
    const [block] = JSON.parse(await read('flipping.json')).blocks;
    expect(block.lost_since).toMatchObject({ commit_sha: main[51] });
    expect(await read('flipping')).toContain(`lost since ${main[51]?.slice(0, 7)}`);
    // The build that began it says so, and a pull request that misses the same lines.
    const [began, missed] = [await story.build('52'), await story.built('108', atHead(early), race(false))];
    expect(began.flips?.missed).toMatchObject([
      { file: 'src/race.ts', first: 2, last: 4, lost_since: { build: began.id } },
    ]);
    expect(missed.flips?.missed[0]?.lost_since?.commit_sha).toBe(main[51]);
    expect(await pageOf(missed)).toContain(
      `since <a href="/builds/${began.id}">${main[51]?.slice(0, 7)}</a> (3 builds)`,
    );
    const onPull = await read('pulls/8');
    expect(onPull).toContain('2 lines that used to flip are missed on <a href="/github/');
    expect(onPull).toContain(`since <a href="/builds/${began.id}">${main[51]?.slice(0, 7)}</a> (3 builds)`);
    expect(await read('pulls/7')).not.toContain('used to flip');
    expect(await pageOf(began)).toContain('2 lines that used to flip are missed on <a href="/github/');
    expect(await pageOf(began)).toMatch(
      /since this build \(3 builds\), <a href="[^"]*src\/race\.ts#L2">src\/race\.ts 2–4</,
    );
  });
});
