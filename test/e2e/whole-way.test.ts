import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScene, type Scene } from '../demo/scene.ts';
import { waitFor } from '../support/wait-for.ts';

/** As a reader counts them: without addresses. */
const wordsOf = (comment: string): number =>
  comment
    .replaceAll(/https?:[^)\s]+/g, '')
    .trim()
    .split(/\s+/).length;

/** The README's story, step by step: the built action, the real server process, a GitHub that checks every request. */
describe('the whole way of a job', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene({ tell: () => {} });
  });
  afterAll(() => scene.dispose());

  const finalStatuses = (commit: string) =>
    waitFor(
      () => {
        const statuses = [...scene.host.lastStatuses(scene.repo, commit).values()];
        return statuses.length === 3 && statuses.every(({ state }) => state !== 'pending') ? statuses : undefined;
      },
      { what: `three final statuses of ${commit}` },
    );

  test('a push to main gives the totals that the tools printed, and becomes the base', async () => {
    await scene.upload({ run: '70', on: 'main', flag: 'web', report: 'c8-12.0.0-base' });
    await scene.upload({ run: '70', on: 'main', flag: 'billing', report: 'coverage.py-7.17.3-cobertura-base' });
    const build = await scene.close({ run: '70', on: 'main' });
    expect(build).toMatchObject({
      number: '70',
      state: 'closed',
      closed_by: 'webhook',
      branch: 'main',
      commit_sha: scene.commits.base,
      covered_lines: 118,
      relevant_lines: 136,
      covered_branches: 34,
      relevant_branches: 40,
      verdict: { state: 'success', rule: 'first-build' },
      base: null,
    });
    expect(build.covered_percent).toBeCloseTo((100 * 152) / 176, 10);
    const statuses = await finalStatuses(scene.commits.base);
    expect(Object.fromEntries(statuses.map(({ context, state }) => [context, state]))).toEqual({
      coverage: 'success',
      'coverage (billing)': 'success',
      'coverage (web)': 'success',
    });
  });

  test('a pull request waits while its jobs arrive, then gets its verdict and one comment', async () => {
    await scene.upload({ run: '71', on: 'first push', flag: 'web', report: 'c8-12.0.0-head-leg-1' });
    await scene.upload({ run: '71', on: 'first push', flag: 'web', report: 'c8-12.0.0-head-leg-2' });
    await scene.upload({ run: '71', on: 'first push', flag: 'billing', report: 'coverage.py-7.17.3-cobertura-head' });
    await waitFor(() => scene.host.statuses(scene.repo, scene.commits.firstHead).length === 3 || undefined, {
      what: 'three pending statuses on the head commit',
    });
    expect(scene.host.statuses(scene.repo, scene.commits.firstHead).every(({ state }) => state === 'pending')).toBe(
      true,
    );

    const build = await scene.close({ run: '71', on: 'first push' });
    expect(build).toMatchObject({
      pull_request: 7,
      commit_sha: scene.commits.firstHead,
      covered_lines: 131,
      relevant_lines: 163,
      covered_branches: 41,
      relevant_branches: 54,
      verdict: { state: 'failure', rule: 'no-decrease' },
      base: { commit_sha: scene.commits.base, rule: 'merge-parent' },
    });
    expect(build.jobs).toHaveLength(3);
    await finalStatuses(scene.commits.firstHead);
    const posted = scene.host.statuses(scene.repo, scene.commits.firstHead);
    expect(posted).toHaveLength(6);
    const comment = await waitFor(() => scene.host.comments(scene.repo, 7)[0], { what: 'the comment' });
    expect(comment.body).toContain('Coverage 79.26% (−7.10 points)');
    expect(comment.body).toContain('· flag `web` fails too');
    expect(comment.body).toContain('/file/web/src/coupon.js#L16-L26)');
    expect(wordsOf(comment.body)).toBeLessThanOrEqual(120);
  });

  test('the next push carries the missing flag forward and edits the same comment', async () => {
    await scene.upload({ run: '72', on: 'second push', flag: 'web', report: 'c8-12.0.0-head' });
    const build = await scene.close({ run: '72', on: 'second push', carryforward: 'billing' });
    expect(build).toMatchObject({
      covered_lines: 131,
      relevant_lines: 163,
      covered_branches: 41,
      relevant_branches: 50,
    });
    const billing = build.flags.find(({ name }) => name === 'billing');
    expect(billing?.carried_from?.commit_sha).toBe(scene.commits.firstHead);
    await finalStatuses(scene.commits.secondHead);
    const [comment, ...others] = await waitFor(
      () => {
        const comments = scene.host.comments(scene.repo, 7);
        return comments[0]?.body.includes('80.75%') ? comments : undefined;
      },
      { what: 'the edited comment' },
    );
    expect(others).toEqual([]);
    expect(comment?.edits).toBe(1);
    expect(comment?.body).toContain(`carried from ${scene.commits.firstHead.slice(0, 7)}, under a day old`);
    expect(comment?.body.includes('|Changed lines|')).toBe(scene.hasGit);
    expect(wordsOf(comment?.body ?? '')).toBeLessThanOrEqual(115);
  });

  test("every request was one that GitHub's API description allows", () => {
    expect(scene.host.requests().length).toBeGreaterThan(10);
    expect(scene.host.violation()).toBeUndefined();
  });
});
