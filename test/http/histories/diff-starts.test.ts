import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { job } from '../../support/coverage-api.ts';
import { atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import { HOOK_SECRET, sendDelivery } from '../../support/hooks-client.ts';
import { waitFor } from '../../support/wait-for.ts';

/** What changed since a build is told from the text that its report speaks of. */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ GITHUB_WEBHOOK_SECRET: HOOK_SECRET });
});
afterAll(() => stage.end());

const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const file = (name: string, content: string, coverage: readonly (number | null)[]) => ({
  name,
  source_digest: createHash('md5').update(content).digest('hex'),
  coverage,
});
type File = ReturnType<typeof file>;

let scenes = 0;
/** A repo at the host with a history of its own. */
async function begin(settings: object = {}) {
  const { github, service } = stage;
  scenes += 1;
  const repo = `octo/diff-starts-${scenes}`;
  const git = stage.newGit();
  github.addRepo(repo, { defaultBranch: 'main' });
  const { token } = await service.newRepo({ service: 'github', name: repo });
  const { status } = await service.api.send(`/api/v1/repos/github/${repo}/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `token ${service.adminToken}` },
    body: JSON.stringify(settings),
  });
  expect(status).toBe(200);
  const push = (): void => git.pushTo(github, repo);
  const upload = (number: string, at: Place, files: readonly File[], more: object = {}) =>
    service.upload({
      ...job({ repo_token: token, service_name: 'github', service_number: number }),
      ...at,
      source_files: files,
      ...more,
    });
  return {
    repo,
    git,
    push,
    upload,
    async built(number: string, at: Place, files: readonly File[], more: object = {}) {
      push();
      return service.closed((await upload(number, at, files, more)).build);
    },
    close: (number: string, carryforward: string) => service.close(token, number, carryforward),
    pull(number: number, branch: string): Pull {
      push();
      const ends = { head: git.sha(branch), base: git.sha('main') };
      const merge = git.mergeApart(ends);
      push();
      const { head, base } = ends;
      github.addPullRequest(repo, {
        number,
        headSha: head,
        headRef: branch,
        baseRef: 'main',
        baseSha: base,
        mergeCommitSha: merge,
      });
      return { number, branch, head, baseBranch: 'main', base, merge };
    },
    compared: () =>
      github
        .requests()
        .filter(({ path }) => path.startsWith(`/repos/${repo}/compare/`))
        .map(({ path }) => path.split(/\/compare\/|\?/)[1]),
  };
}

test('a base that landed squashed: since the commit it landed as, though its own is another', async () => {
  const { repo, git, push, built, pull, compared } = await begin({ ignore_untouched_files: true });
  const [f0, f1] = [text('a', 'b', 'c', 'd'), text('a', 'b', 'b2', 'c', 'd')];
  const [g0, g1] = [text('x', 'y'), text('x', 'y', 'z')];
  git.commit('root', { 'f.ts': f0, 'g.ts': g0 });
  git.switchTo('topic', 'main');
  git.commit('head', { 'f.ts': f1 });
  git.switchTo('main');
  const first = pull(7, 'topic');
  await built('1', atMerge(first), [file('f.ts', f1, [1, 1, 1, 1, 1]), file('g.ts', g0, [1, 1])]);
  const squash = git.squash('topic');
  push();
  stage.github.addPullRequest(repo, {
    number: 7,
    headSha: first.head,
    headRef: 'topic',
    baseRef: 'main',
    baseSha: first.base,
    state: 'closed',
    merged: true,
    mergeCommitSha: squash,
  });
  await sendDelivery(stage.service.url, stage.github.deliveries.pullRequest(repo, 7, { action: 'closed' }));
  git.switchTo('next', 'main');
  git.commit('next', { 'g.ts': g1 });
  git.switchTo('main');
  const second = pull(8, 'next');
  // f.ts is as it was: that it lost a line is not this pull request's.
  const build = await built('2', atMerge(second), [file('f.ts', f1, [1, 1, 0, 1, 1]), file('g.ts', g1, [1, 1, 1])]);
  expect(compared()).toContain(`${squash}...${second.merge}`);
  expect(compared()).not.toContain(`${first.head}...${second.merge}`);
  expect(build).toMatchObject({ verdict: { state: 'success' }, base: { rule: 'merge-parent' } });
});

test('a flag carried within a pull request: since its earlier head', async () => {
  const { git, built, upload, close, pull } = await begin();
  const [f0, f1] = [text('a', 'b', 'c', 'd'), text('a', 'b', 'c', 'd', 'e')];
  const f2 = text('new1', 'new2', 'a', 'b', 'c', 'd', 'e');
  git.commit('root', { 'f.ts': f0 });
  await built('1', onBranch(git.sha('main')), [file('f.ts', f0, [1, 1, 1, 1])], { flag_name: 'unit' });
  git.switchTo('topic', 'main');
  git.commit('one', { 'f.ts': f1 });
  const earlier = pull(7, 'topic');
  for (const [flag, hits] of [
    ['unit', [1, 1, 1, 1, 0]],
    ['e2e', [0, 0, 0, 0, 1]],
  ] as const) {
    await upload('2', atHead(earlier), [file('f.ts', f1, hits)], { flag_name: flag, parallel: true });
  }
  await close('2', 'unit');
  git.switchTo('topic');
  git.commit('two', { 'f.ts': f2 });
  git.switchTo('main');
  const later = pull(7, 'topic');
  const own = file('f.ts', f2, [null, null, 1, 1, 1, 1, 0]);
  await upload('3', atHead(later), [own], { flag_name: 'unit', parallel: true });
  const build = await close('3', 'e2e');
  expect(build).toMatchObject({ covered_lines: 5, relevant_lines: 5, warnings: [] });
});

test('lines newer than a carried report are not measured, and alone fail no patch minimum (rule 16)', async () => {
  const { repo, git, push, upload, close, pull } = await begin({ patch_status: true, patch_minimum: 100 });
  const [b0, b1] = [text('a', 'b'), text('new1', 'new2', 'new3', 'a', 'b')];
  const [w0, w1] = [text('w'), text('w', 'w2')];
  git.commit('root', { 'api/b.js': b0, 'web/w.js': w0 });
  push();
  const send = (number: string, at: Place, flag: string, one: File) =>
    upload(number, at, [one], { flag_name: flag, parallel: true });
  const main = onBranch(git.sha('main'));
  await send('1', main, 'api', file('api/b.js', b0, [1, 0]));
  await send('1', main, 'web', file('web/w.js', w0, [1]));
  await close('1', '');
  git.switchTo('topic', 'main');
  git.commit('head', { 'api/b.js': b1 });
  git.switchTo('main');
  const topic = pull(7, 'topic');
  await send('2', atHead(topic), 'web', file('web/w.js', w0, [1]));
  const build = await close('2', 'api');
  expect(build).toMatchObject({
    covered_lines: 2,
    relevant_lines: 3,
    patch: {
      covered_percent: null,
      relevant_lines: 0,
      files: [],
      not_measured: { files: 1, lines: 3 },
      verdict: { state: 'success', rule: 'nothing-relevant', explanation: 'None of the 3 changed lines was measured.' },
    },
  });
  const said = () => stage.github.lastStatuses(repo, topic.head).get('coverage/patch')?.description;
  await waitFor(() => said()?.startsWith('none of the'), { what: 'the status of the change' });
  expect(said()).toBe('none of the 3 changed lines was measured');
  await waitFor(() => stage.github.comments(repo, 7).length > 0, { what: 'the comment' });
  expect(stage.github.comments(repo, 7)[0]?.body).toContain(
    '3 changed lines of 1 file not measured: only carried reports name it.',
  );
  const headers = { authorization: `token ${stage.service.adminToken}`, accept: 'text/html' };
  const page = await stage.service.api.send(`/builds/${build.id}`, { headers });
  expect(page.text).toMatch(/<dt>Changed lines<\/dt><dd><span class="quiet">not measured</);
  // What a job of the build names is measured, beside what is not.
  git.switchTo('topic');
  git.commit('more', { 'web/w.js': w1 });
  git.switchTo('main');
  const more = pull(7, 'topic');
  await send('3', atHead(more), 'web', file('web/w.js', w1, [1, 1]));
  expect((await close('3', 'api')).patch).toMatchObject({
    covered_percent: 100,
    relevant_lines: 1,
    not_measured: { files: 1, lines: 3 },
    verdict: { state: 'success' },
  });
});

test('what changed, unanswered for a moment: where it decides, the statuses wait for it', async () => {
  const { repo, git, built, pull } = await begin({ patch_status: true, patch_minimum: 80 });
  const [f0, f1] = [text('a', 'b', 'c', 'd'), text('a', 'b', 'c', 'd', 'e')];
  git.commit('root', { 'f.ts': f0 });
  await built('1', onBranch(git.sha('main')), [file('f.ts', f0, [1, 1, 1, 1])]);
  git.switchTo('topic', 'main');
  git.commit('head', { 'f.ts': f1 });
  git.switchTo('main');
  const topic = pull(7, 'topic');
  const repair = stage.github.faults.when(({ path }) =>
    path.startsWith(`/repos/${repo}/compare/`) ? { kind: 'status', status: 502 } : undefined,
  );
  const first = await built('2', atMerge(topic), [file('f.ts', f1, [1, 1, 1, 1, 0])]);
  expect(first).toMatchObject({ provisional_since: expect.any(String), patch: null });
  repair();
  const told = () => stage.github.lastStatuses(repo, topic.head).get('coverage/patch')?.state;
  expect(told()).not.toBe('success');
  await waitFor(() => (told() === 'failure' ? true : undefined), {
    what: 'the status of the changed lines',
    meanwhile: stage.service.time.skipPause,
  });
  expect(await stage.service.build(first.id)).toMatchObject({ provisional_since: null });
});
