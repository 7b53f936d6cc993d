import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GitRepo } from '../../support/git-repo.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Story } from '../../support/histories/story.ts';

let stage: Stage;
let git: GitRepo;
let commits: { readonly root: string; readonly base: string; readonly next: string };
beforeAll(async () => {
  stage = await startStage({});
  git = stage.newGit();
  const root = git.commit('root', { 'root.txt': 'root\n' });
  const base = git.commit('base', { 'base.txt': 'base\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
  commits = { root, base, next: git.commit('next', { 'next.txt': 'next\n' }) };
});
afterAll(() => stage.end());
const pullOf = (story: Story): Pull => story.pull({ number: 7, branch: 'topic' });

describe('P: two workflows per commit, each with its flag', () => {
  for (const bases of [
    ['unit', 'e2e'],
    ['e2e', 'unit'],
  ])
    for (const own of [
      ['unit', 'e2e'],
      ['e2e', 'unit'],
    ])
      test(`${bases} ${own}`, async () => {
        const story = await stage.begin(git);
        for (const flag of bases) await story.built(`b-${flag}`, onBranch(commits.base), { [flag]: [1, 0] });
        const pull = pullOf(story);
        for (const flag of own) {
          await story.upload({ number: `p-${flag}`, at: atHead(pull), flag, lines: [1, 1] });
          await story.settled();
        }
        for (const flag of own) await story.close(`p-${flag}`);
        await story.settled();
        console.log(bases, own, await story.baseOf('p-unit'), await story.baseOf('p-e2e'), story.told(pull.head));
        expect(story.told(pull.head)['coverage (unit)']).toMatch(/^success: 100/);
        expect(story.told(pull.head)['coverage (e2e)']).toMatch(/^success: 100/);
      });
});
describe('EE: PR merged before its first job', () => {
  for (const withPush of [true, false])
    test(`base is not its own commit ${withPush}`, async () => {
      const own = stage.newGit();
      const root = own.commit('root', { 'a.txt': 'a' });
      own.switchTo('topic');
      const one = own.commit('one', { 'b.txt': 'b' });
      const two = own.commit('two', { 'b.txt': 'c' });
      own.switchTo('main');
      const story = await stage.begin(own);
      await story.built('0', onBranch(root), { unit: [1, 1] });
      await story.built('1', onBranch(one, 'topic'));
      if (withPush) await story.built('2', onBranch(two, 'topic'));
      const pull = story.pull({ number: 7, branch: 'topic' });
      const merged = own.merge('topic');
      story.push();
      stage.github.addPullRequest(story.repo, {
        number: 7,
        headSha: two,
        headRef: 'topic',
        baseRef: 'main',
        baseSha: root,
        mergeCommitSha: merged,
        state: 'closed',
        merged: true,
      });
      await story.built('own', atHead(pull));
      console.log('EE', withPush, await story.baseOf('own'));
      expect(await story.baseOf('own')).toBe('0 merge-base 0');
    });
});
describe('C: no provider (facts by 404): push base closes later', () => {
  test('push', async () => {
    const { service } = stage;
    const { token } = await service.newRepo({});
    const { job } = await import('../../support/coverage-api.ts');
    const j = (n: string, branch: string, lines: number[]) =>
      job({
        repo_token: token,
        parallel: true,
        service_number: n,
        commit_sha: n.repeat(40),
        git: { branch },
        source_files: [{ name: 'a', source_digest: 'x', coverage: lines }],
      } as never);
    await service.upload(j('1', 'main', [1, 1]));
    await service.upload(j('2', 'main', [1, 0]));
    const two = await service.close(token, '2');
    const one = await service.close(token, '1');
    await new Promise((r) => setTimeout(r, 300));
    console.log('C', (await service.build(two.id)).base, one.id);
  });
});
