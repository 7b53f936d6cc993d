import type { BuildJson, FlagJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Flags = Readonly<Record<string, readonly (number | null)[]>>;
interface Built {
  readonly token: string;
  readonly number: string;
  /** Lines by flag: each flag has a file of its own name. */
  readonly flags: Flags;
  readonly carry?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Uploads a job per flag and closes the build. */
async function built({ token, number, flags, carry, fields }: Built): Promise<BuildJson> {
  for (const [flag, coverage] of Object.entries(flags)) {
    const source = { name: `src/${flag}.ts`, source_digest: `text of ${flag}`, coverage };
    const place = { service_number: number, commit_sha: shaOf(number), parallel: true, flag_name: flag };
    await service.upload({ ...job({ repo_token: token }), ...place, source_files: [source], ...fields });
  }
  return service.close(token, number, carry);
}

const flagOf = (build: BuildJson, name: string): FlagJson | undefined => build.flags.find((flag) => flag.name === name);
const pull = (number: number, base = 'main') => ({ service_pull_request: String(number), service_base_branch: base });
const on = (branch: string) => ({ git: { branch } });
const BOTH: Flags = { e2e: [1, 1, 0], unit: [1, 0] };

describe('carryforward (rules 15 and 16)', () => {
  test('fills a named flag with its newest uploaded report, and shows where it came from', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const origin = await built({ token, number: '70', flags: BOTH });
    const build = await built({ token, number: '71', flags: { unit: [1, 1] }, carry: 'e2e' });
    expect(build).toMatchObject({ covered_lines: 4, relevant_lines: 5, verdict: { state: 'success' } });
    expect(warningsOf(build)).toEqual([]);
    expect(flagOf(build, 'e2e')).toEqual({
      name: 'e2e',
      covered_percent: 200 / 3,
      coverage_change: 0,
      verdict: { state: 'success', rule: 'carried', explanation: `66.66%, carried from ${shaOf('70').slice(0, 7)}.` },
      cause: null,
      carried_from: { build: origin.id, commit_sha: shaOf('70'), closed_at: origin.closed_at },
    });
    expect(flagOf(build, 'unit')?.carried_from).toBeNull();
    expect(build.jobs).toHaveLength(1);
  });

  test('a flag’s name may hold a comma: whole names go first, in a list with commas and in a JSON list', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const comma = 'linux, node 24';
    await built({ token, number: '70', flags: { [comma]: [1, 0], linux: [1], unit: [1], 'a,b': [0] } });
    const carriedBy = async (number: string, carryforward: unknown) => {
      const place = { service_number: number, commit_sha: shaOf(number), parallel: true, flag_name: 'own' };
      await service.upload({ ...job({ repo_token: token }), ...place });
      const body = JSON.stringify({ repo_token: token, carryforward, payload: { build_num: number, status: 'done' } });
      const headers = { 'content-type': 'application/json' };
      const { status, json } = await service.api.send<{ url: string }>('/webhook', { method: 'POST', headers, body });
      expect(status).toBe(200);
      const build = await service.build(json.url.slice(json.url.lastIndexOf('/') + 1));
      expect(warningsOf(build)).toEqual([]);
      return build.flags.filter((flag) => flag.carried_from !== null).map(({ name }) => name);
    };
    expect(await carriedBy('71', comma)).toEqual([comma]);
    expect(await carriedBy('72', `unit,${comma},linux`)).toEqual(['linux', comma, 'unit']);
    expect(await carriedBy('73', [comma, 'a,b'])).toEqual(['a,b', comma]);
    expect(await carriedBy('74', ['unit,linux', 'a,b'])).toEqual(['a,b', 'linux', 'unit']);
    expect(await carriedBy('75', 'unit, linux')).toEqual(['linux', 'unit']);
    const again = await service.close(token, '75', 'linux,unit');
    expect(again.flags.filter((flag) => flag.carried_from !== null)).toHaveLength(2);
  });

  test('takes only uploaded reports: what was carried once is carried from its origin again', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const origin = await built({ token, number: '70', flags: BOTH });
    await built({ token, number: '71', flags: { unit: [1, 1] }, carry: 'e2e' });
    const build = await built({ token, number: '72', flags: { unit: [1, 1] }, carry: 'e2e' });
    expect(flagOf(build, 'e2e')?.carried_from?.build).toBe(origin.id);
  });

  test('with all: every flag of the base that is missing in the build', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    await built({ token, number: '70', flags: { ...BOTH, lint: [0] } });
    const build = await built({ token, number: '71', flags: { unit: [1, 1] }, carry: 'all' });
    expect(build.flags.map(({ name, carried_from }) => [name, carried_from !== null])).toEqual([
      ['e2e', true],
      ['lint', true],
      ['unit', false],
    ]);
    expect(build).toMatchObject({ covered_lines: 4, relevant_lines: 6 });
  });

  test('a flag that has a job is not carried, and one that no build holds is a warning, not an error', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    await built({ token, number: '70', flags: BOTH });
    const build = await built({ token, number: '71', flags: { unit: [1, 1] }, carry: 'unit, nightly,e2e' });
    expect(flagOf(build, 'unit')).toMatchObject({ covered_percent: 100, carried_from: null });
    expect(flagOf(build, 'e2e')?.carried_from).not.toBeNull();
    expect(build.flags).toHaveLength(2);
    expect(warningsOf(build)).toEqual(['Flag nightly should have been carried forward, but it has no stored report.']);
  });

  test('of all jobs of the flag in its origin', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    await built({ token, number: '70', flags: { e2e: [1, 0, 0] } });
    await built({ token, number: '70', flags: { e2e: [0, 1, 0] } });
    const build = await built({ token, number: '71', flags: { unit: [1] }, carry: 'e2e' });
    // Closed with its first job, re-opened by the second: the origin is one build of two legs.
    expect(build).toMatchObject({ covered_lines: 3, relevant_lines: 4 });
  });

  test('of the pull request’s own history or its base branch, whichever is newer; else the repo’s newest', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const onMain = await built({ token, number: '60', flags: BOTH });
    await built({ token, number: '61', flags: BOTH, fields: pull(8) });
    const first = await built({ token, number: '62', flags: { unit: [1] }, carry: 'e2e', fields: pull(7) });
    expect(flagOf(first, 'e2e')?.carried_from?.build).toBe(onMain.id);
    const own = await built({ token, number: '63', flags: BOTH, fields: pull(7) });
    const second = await built({ token, number: '64', flags: { unit: [1] }, carry: 'e2e', fields: pull(7) });
    expect(flagOf(second, 'e2e')?.carried_from?.build).toBe(own.id);
    const newer = await built({ token, number: '65', flags: BOTH });
    const third = await built({ token, number: '66', flags: { unit: [1] }, carry: 'e2e', fields: pull(7) });
    expect(flagOf(third, 'e2e')?.carried_from?.build).toBe(newer.id);
    const anywhere = await built({ token, number: '67', flags: { nightly: [1] }, fields: on('elsewhere') });
    const fourth = await built({ token, number: '68', flags: { unit: [1] }, carry: 'nightly', fields: pull(7) });
    expect(flagOf(fourth, 'nightly')?.carried_from?.build).toBe(anywhere.id);
  });

  test('for a push only of builds before it', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const before = await built({ token, number: '70', flags: BOTH });
    const place = { service_number: '71', commit_sha: shaOf('71'), parallel: true, flag_name: 'unit' };
    await service.upload({ ...job({ repo_token: token }), ...place });
    await built({ token, number: '72', flags: BOTH });
    const build = await service.close(token, '71', 'e2e');
    expect(flagOf(build, 'e2e')?.carried_from?.build).toBe(before.id);
    expect(build.base?.build).toBe(before.id);
  });

  test('a file that changed since in an unknown way is left out, with a warning', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const shared = (digest: string, coverage: readonly (number | null)[]) => ({
      source_files: [{ name: 'src/shared.ts', source_digest: digest, coverage }],
    });
    await built({ token, number: '70', flags: { e2e: [] }, fields: shared('old', [5, 5, 5, 5, 5]) });
    const build = await built({
      token,
      number: '71',
      flags: { unit: [] },
      carry: 'e2e',
      fields: shared('new', [0, null, 0]),
    });
    expect(build).toMatchObject({ covered_lines: 0, relevant_lines: 2 });
    expect(flagOf(build, 'e2e')).toMatchObject({ covered_percent: null, carried_from: { commit_sha: shaOf('70') } });
    expect(warningsOf(build)).toEqual([expect.stringMatching(/^1 file of carried flags changed since/)]);
    const same = await built({
      token,
      number: '72',
      flags: { unit: [] },
      carry: 'e2e',
      fields: shared('OLD', [0, null, 0]),
    });
    expect(same).toMatchObject({ covered_lines: 5, relevant_lines: 5 });
    expect(warningsOf(same)).toEqual([]);
  });
});

describe('without carryforward (rule 17)', () => {
  test('nothing is carried: a missing flag has no share in the total, and its own success', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    await built({ token, number: '70', flags: BOTH });
    const build = await built({ token, number: '71', flags: { unit: [1, 0] } });
    expect(build).toMatchObject({ covered_lines: 1, relevant_lines: 2, covered_percent: 50 });
    expect(flagOf(build, 'e2e')).toEqual({
      name: 'e2e',
      covered_percent: null,
      coverage_change: null,
      verdict: {
        state: 'success',
        rule: 'not-reported',
        explanation: `Not reported; last 66.66% in ${shaOf('70').slice(0, 7)}.`,
      },
      cause: null,
      carried_from: null,
    });
    expect(build.cause).toEqual({
      sentence: 'Flag e2e did not report; carry it forward or run it; covering 1 more line anywhere would pass.',
      parts: [],
    });
  });
});

describe('a flag that skipped its base (rules.md “Verdict”)', () => {
  test('is compared with its newest report before, where nobody knows the commits', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    await built({ token, number: '70', flags: { unit: [1], e2e: [1, 0] } });
    await built({ token, number: '71', flags: { unit: [1] } });
    const build = await built({ token, number: '72', flags: { unit: [1], e2e: [1, 1, 0, 0, 0] } });
    expect(flagOf(build, 'e2e')).toMatchObject({
      coverage_change: -10,
      verdict: {
        state: 'failure',
        explanation: expect.stringContaining(`from 50.00% in ${shaOf('70').slice(0, 7)}: no decrease allowed`),
      },
    });
    const { token: other } = await service.newRepo({ service: 'github' });
    await built({ token: other, number: '70', flags: { unit: [1] } });
    const first = await built({ token: other, number: '71', flags: { unit: [1], e2e: [1, 0] } });
    expect(flagOf(first, 'e2e')?.verdict).toMatchObject({ state: 'success', rule: 'first-build' });
  });
});
