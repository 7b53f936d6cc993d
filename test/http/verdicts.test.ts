import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Covered lines of all lines. */
type Lines = readonly [covered: number, all: number];
interface Story {
  readonly minimum?: number | null;
  readonly drop?: number | null;
  readonly base?: Lines | undefined;
  readonly now: Lines;
  readonly flag?: string;
}

/** A base on main, where one is given, and a build on top of it. */
async function judge({ minimum = null, drop = null, base, now, flag }: Story): Promise<BuildJson> {
  const repo = await service.newRepo({ service: 'github' });
  await service.change(repo, { commit_status_fail_threshold: minimum, commit_status_fail_change_threshold: drop });
  const build = (number: string, [covered, all]: Lines): Promise<BuildJson> => {
    const coverage = Array.from({ length: all }, (_, line) => (line < covered ? 1 : 0));
    const fields = { service_number: number, commit_sha: shaOf(number), source_files: [{ name: 'a.ts', coverage }] };
    return service.uploadAlone({
      ...job({ repo_token: repo.token }),
      ...fields,
      ...(flag === undefined ? {} : { flag_name: flag }),
    });
  };
  if (base !== undefined) await build('70', base);
  return build('71', now);
}

/** What the base is called. */
const BASE = shaOf('70').slice(0, 7);

describe('the verdict', () => {
  test.each<
    readonly [
      state: string,
      rule: string,
      minimum: number | null,
      drop: number | null,
      base: Lines | undefined,
      now: Lines,
    ]
  >([
    // No threshold: the total must not decrease.
    ['success', 'first-build', null, null, undefined, [0, 3]],
    ['success', 'no-decrease', null, null, [2, 3], [2, 3]],
    ['success', 'no-decrease', null, null, [2, 3], [3, 4]],
    ['failure', 'no-decrease', null, null, [2, 3], [1, 2]],
    // Where a double would call both 66.66666666666667.
    ['failure', 'no-decrease', null, null, [2000, 3000], [1999, 2999]],
    // A minimum: the change does not matter.
    ['success', 'minimum', 50, null, undefined, [1, 2]],
    ['failure', 'minimum', 50, null, undefined, [49, 99]],
    ['success', 'minimum', 50, null, [1, 1], [1, 2]],
    ['failure', 'minimum', 66.67, null, [1, 3], [2, 3]],
    ['success', 'minimum', 66.66, null, undefined, [2, 3]],
    ['success', 'minimum', 0, null, undefined, [0, 5]],
    ['success', 'minimum', 100, null, undefined, [5, 5]],
    ['failure', 'minimum', 100, null, undefined, [99, 100]],
    // An allowed drop.
    ['success', 'allowed-drop', null, 10, [9, 10], [8, 10]],
    ['failure', 'allowed-drop', null, 10, [9, 10], [79, 100]],
    ['success', 'allowed-drop', null, 0.1, [9, 10], [899, 1000]],
    ['failure', 'allowed-drop', null, 0.1, [9, 10], [898, 1000]],
    ['success', 'allowed-drop', null, 0, [1, 2], [1, 2]],
    ['failure', 'allowed-drop', null, 0, [1, 2], [49, 99]],
    ['success', 'first-build', null, 10, undefined, [0, 1]],
    // Both.
    ['success', 'minimum', 50, 10, [6, 10], [5, 10]],
    ['failure', 'minimum', 60, 10, [6, 10], [5, 10]],
    ['failure', 'allowed-drop', 50, 5, [6, 10], [5, 10]],
    ['failure', 'minimum', 60, 5, [9, 10], [5, 10]],
    ['success', 'minimum', 50, 5, undefined, [5, 10]],
    // Nothing relevant (rule 4).
    ['success', 'nothing-relevant', null, null, undefined, [0, 0]],
    ['success', 'nothing-relevant', 80, 1, undefined, [0, 0]],
    ['failure', 'no-coverage-arrived', null, null, [3, 4], [0, 0]],
    ['failure', 'no-coverage-arrived', null, 100, [3, 4], [0, 0]],
  ])(
    'is %s by %s with minimum %j and allowed drop %j, from %j to %j',
    async (state, rule, minimum, drop, base, now) => {
      const { verdict } = await judge({ minimum, drop, base, now });
      expect(verdict).toEqual({ state, rule, explanation: expect.any(String), provisional: false });
    },
  );

  test('names both numbers and the rule in words', async () => {
    const explanation = async (story: Story) => (await judge(story)).verdict?.explanation;
    expect(await explanation({ base: [2, 3], now: [1, 2] })).toBe(
      `Coverage is 50.00%, −16.66 points from 66.66% in ${BASE}: no decrease allowed. Covering 1 more line anywhere ` +
        'would pass.',
    );
    expect(await explanation({ minimum: 80, now: [2, 3] })).toBe(
      'Coverage is 66.66%: below the minimum of 80%. Covering 1 more line anywhere would pass.',
    );
    expect(await explanation({ drop: 5, base: [9, 10], now: [8, 10] })).toBe(
      `Coverage is 80.00%, −10.00 points from 90.00% in ${BASE}: more than the allowed drop of 5 points. Covering 1 ` +
        'more line anywhere would pass.',
    );
    expect(await explanation({ base: [3, 4], now: [0, 0] })).toBe(
      `No coverage was uploaded; the base (${BASE}) had 4 relevant lines.`,
    );
    expect(await explanation({ base: [1, 2], now: [2, 4] })).toBe(`Coverage is 50.00%, unchanged from ${BASE}.`);
    expect(await explanation({ base: [99_999, 100_000], now: [99_998, 100_000] })).toContain(
      '−0.001 points from 99.99%',
    );
  });
});

describe('the numbers', () => {
  test('are unrounded in JSON', async () => {
    expect(await judge({ base: [1, 3], now: [2, 3] })).toMatchObject({
      covered_percent: 200 / 3,
      coverage_change: 100 / 3,
    });
    const build = await judge({ base: [99_999, 100_000], now: [99_998, 100_000] });
    expect(build.covered_percent).toBe(99.998);
    expect(build.coverage_change).toBeCloseTo(-0.001, 12);
  });
  test('are null where nothing is relevant, and the counts are 0', async () => {
    const build = await judge({ base: [3, 4], now: [0, 0] });
    expect(build).toMatchObject({
      covered_percent: null,
      coverage_change: null,
      covered_lines: 0,
      missed_lines: 0,
      relevant_lines: 0,
    });
    expect(build.jobs).toMatchObject([{ covered_percent: null }]);
  });
  test('have no change without a base, and 0 where it is the same', async () => {
    expect((await judge({ now: [2, 3] })).coverage_change).toBeNull();
    expect((await judge({ base: [2, 3], now: [4, 6] })).coverage_change).toBe(0);
  });
});

describe('a flag is judged by change alone', () => {
  test.each<
    readonly [
      state: string,
      rule: string,
      minimum: number | null,
      drop: number | null,
      base: Lines | undefined,
      now: Lines,
    ]
  >([
    ['success', 'first-build', 90, null, undefined, [1, 2]],
    ['success', 'no-decrease', 90, null, [1, 2], [1, 2]],
    ['success', 'minimum', 90, null, [1, 2], [1, 3]],
    ['failure', 'no-decrease', null, null, [1, 2], [1, 3]],
    ['success', 'allowed-drop', 90, 20, [1, 2], [1, 3]],
    ['failure', 'allowed-drop', null, 10, [1, 2], [1, 3]],
  ])('%s by %s with minimum %j and allowed drop %j, from %j to %j', async (state, rule, minimum, drop, base, now) => {
    const [flag] = (await judge({ minimum, drop, base, now, flag: 'unit' })).flags;
    expect(flag).toMatchObject({ name: 'unit', verdict: { state, rule } });
  });
});
