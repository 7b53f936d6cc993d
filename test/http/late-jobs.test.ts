import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const QUIET = 300;
/** With the usual periods, which no test outlasts. */
let service: Service;
/** Closes by itself soon. */
let hasty: Service;
beforeAll(async () => {
  service = await startService({ env: { WORKER_THREADS: '2' } });
  hasty = await startService({ env: { BUILD_QUIET_PERIOD: `${QUIET}ms`, LATE_JOB_PERIOD: `${QUIET}ms` } });
});
afterAll(async () => {
  await service.stop();
  await hasty.stop();
});

const parts = (token: string, flag: string | undefined, lines: number[], fields: object = {}) => ({
  ...job({ repo_token: token, parallel: true, source_files: [sourceFile(`src/${flag ?? 'all'}.ts`, lines)] }),
  ...(flag === undefined ? {} : { flag_name: flag }),
  ...fields,
});

describe('a job for a closed build (rule 12)', () => {
  test('that is not parallel re-opens it and closes it at once', async () => {
    const { token } = await service.newRepo();
    const { id } = await service.uploadAlone(parts(token, 'one', [1, 0], { parallel: false }));
    const { build } = await service.upload(parts(token, 'two', [1, 1], { parallel: false }));
    expect(build).toBe(id);
    const closed = await waitFor(
      async () => {
        const found = await service.build(id);
        return found.relevant_lines === 4 ? found : undefined;
      },
      { what: 'the late job to count' },
    );
    expect(closed).toMatchObject({ state: 'closed', covered_lines: 3 });
  });

  test('leaves the last result served until the next close', async () => {
    const { token } = await service.newRepo();
    await service.upload(parts(token, 'one', [1, 0]));
    const first = await service.close(token, 71);
    const late = await service.upload(parts(token, 'two', [1, 1]));
    expect(late).toMatchObject({ build: first.id, message: 'Job #71.2' });
    const meanwhile = await service.build(first.id);
    expect(meanwhile).toMatchObject({
      state: 'open',
      closed_by: 'webhook',
      covered_percent: 50,
      verdict: first.verdict,
      closed_at: first.closed_at,
    });
    expect(meanwhile.jobs).toHaveLength(2);
    const { due = [], lastJobAt = 0 } = (await service.store.builds.find(Number(first.id))) ?? {};
    expect((findTask(due, 'deadline')?.at ?? 0) - lastJobAt).toBe(service.config.latePeriod);
    expect(await service.close(token, 71)).toMatchObject({
      state: 'closed',
      closed_by: 'webhook',
      covered_lines: 3,
      relevant_lines: 4,
    });
  });

  test('is merged LATE_JOB_PERIOD after the last late job, and the build stays closed by what closed it', async () => {
    const { token } = await hasty.newRepo();
    const { id } = await hasty.uploadAlone(parts(token, 'one', [1, 0], { parallel: false }));
    await hasty.upload(parts(token, 'two', [1, 1]));
    const before = Date.now();
    await hasty.upload(parts(token, 'three', [1]));
    const closed = await hasty.closed(id);
    expect(closed).toMatchObject({ closed_by: 'job', covered_lines: 4, relevant_lines: 5 });
    expect(Date.parse(closed.closed_at ?? '')).toBeGreaterThanOrEqual(before + QUIET);
  });

  test('a repeat of a job that exists already changes nothing', async () => {
    const { token } = await service.newRepo();
    await service.upload(parts(token, 'one', [1, 0]));
    const closed = await service.close(token, 71);
    await service.upload(parts(token, 'one', [1, 0]));
    expect(await service.build(closed.id)).toEqual(closed);
  });

  test('keeps the carryforward list and the base of the last close', async () => {
    const { token } = await service.newRepo();
    const at = (number: string) => ({ service_number: number, commit_sha: shaOf(number) });
    await service.upload(parts(token, 'e2e', [1, 1, 0], at('70')));
    await service.upload(parts(token, 'unit', [1, 0], at('70')));
    const base = await service.close(token, '70');
    await service.upload(parts(token, 'unit', [1, 1], at('71')));
    const first = await service.close(token, '71', 'e2e');
    expect(first).toMatchObject({ covered_lines: 4, relevant_lines: 5, base: { build: base.id } });
    // A newer base on the branch would be taken by a new build.
    await service.uploadAlone(parts(token, 'unit', [1], { ...at('69'), parallel: false }));
    await service.upload(parts(token, 'lint', [0], at('71')));
    const again = await service.close(token, '71');
    expect(again).toMatchObject({ covered_lines: 4, relevant_lines: 6, base: first.base });
    expect(again.flags.find(({ name }) => name === 'e2e')?.carried_from?.build).toBe(base.id);
    await service.upload(parts(token, 'e2e', [0, 0, 0], at('71')));
    const own = await service.close(token, '71');
    expect(own).toMatchObject({ covered_lines: 2, relevant_lines: 6 });
    expect(own.flags.find(({ name }) => name === 'e2e')?.carried_from).toBeNull();
  });
});

describe('a parallel build that nobody closes (rule 13)', () => {
  const at = (number: string, fields: object = {}) => ({
    service_number: number,
    commit_sha: shaOf(`hasty ${number}`),
    ...fields,
  });
  /** A closed build with the flags unit and e2e. */
  const makeBase = async (token: string) => {
    await hasty.upload(parts(token, 'unit', [1, 1], at('70')));
    await hasty.upload(parts(token, 'e2e', [1, 0], at('70')));
    return hasty.close(token, '70');
  };

  test('is closed by the server after the quiet period', async () => {
    const { token } = await hasty.newRepo();
    const before = Date.now();
    const { build } = await hasty.upload(parts(token, 'unit', [1, 0], at('71')));
    const closed = await hasty.closed(build);
    expect(closed).toMatchObject({
      closed_by: 'deadline',
      covered_percent: 50,
      verdict: { state: 'success', rule: 'first-build' },
    });
    expect(Date.parse(closed.closed_at ?? '')).toBeGreaterThanOrEqual(before + QUIET);
  });

  test('is incomplete where flags of its base are missing; no base while a complete one exists', async () => {
    const { token } = await hasty.newRepo();
    const base = await makeBase(token);
    const { build } = await hasty.upload(parts(token, 'unit', [1, 0], at('71')));
    const closed = await hasty.closed(build);
    expect(closed).toMatchObject({ closed_by: 'deadline', verdict: { state: 'incomplete', rule: 'incomplete' } });
    expect(closed.verdict?.explanation).toContain('e2e');
    expect(closed.verdict?.explanation).not.toContain('unit');
    expect(closed.flags.find(({ name }) => name === 'e2e')).toMatchObject({
      covered_percent: null,
      verdict: { state: 'incomplete' },
    });
    const next = await hasty.uploadAlone(parts(token, 'unit', [1, 1], at('72', { parallel: false })));
    expect(next.base?.build).toBe(base.id);
  });

  test('is incomplete with fewer jobs than its base, without flags too; the late job makes it complete', async () => {
    const { token } = await hasty.newRepo();
    for (const lines of [
      [1, 1],
      [1, 0],
    ])
      await hasty.upload(parts(token, undefined, lines, at('70')));
    const base = await hasty.close(token, '70');
    const { build } = await hasty.upload(parts(token, undefined, [1, 0], at('71')));
    const closed = await hasty.closed(build);
    expect(closed).toMatchObject({
      closed_by: 'deadline',
      coverage_change: null,
      verdict: {
        state: 'incomplete',
        rule: 'incomplete',
        explanation: 'Incomplete: 1 of 2 jobs arrived, closed without the closing call.',
      },
    });
    const next = await hasty.uploadAlone(parts(token, undefined, [1, 1], at('72', { parallel: false })));
    expect(next.base?.build).toBe(base.id);
    await hasty.upload(parts(token, undefined, [1, 1], at('71', { parallel: false })));
    const complete = await waitFor(
      async () => {
        const found = await hasty.build(build);
        return found.verdict?.state === 'incomplete' ? undefined : found;
      },
      { what: 'the late job to count' },
    );
    expect(complete).toMatchObject({ closed_by: 'deadline', jobs: [{}, {}], verdict: { state: 'success' } });
  });

  test('stays incomplete after a late job of another flag, and is complete after one of the missing flag', async () => {
    const { token } = await hasty.newRepo();
    await makeBase(token);
    const { build } = await hasty.upload(parts(token, 'unit', [1, 1], at('71')));
    expect((await hasty.closed(build)).verdict?.state).toBe('incomplete');
    await hasty.upload(parts(token, 'lint', [1], at('71', { parallel: false })));
    const unavailable = await waitFor(
      async () => {
        const found = await hasty.build(build);
        return found.relevant_lines === 3 ? found : undefined;
      },
      { what: 'the late job to count' },
    );
    expect(unavailable).toMatchObject({ closed_by: 'deadline', verdict: { state: 'incomplete' } });
    await hasty.upload(parts(token, 'e2e', [1, 1], at('71', { parallel: false })));
    const complete = await waitFor(
      async () => {
        const found = await hasty.build(build);
        return found.relevant_lines === 5 ? found : undefined;
      },
      { what: 'the flag that lacked to count' },
    );
    expect(complete).toMatchObject({ covered_percent: 100, verdict: { state: 'success', rule: 'no-decrease' } });
  });

  test('a close request that comes after it still counts, with its carryforward list', async () => {
    const { token } = await hasty.newRepo();
    const base = await makeBase(token);
    const { build } = await hasty.upload(parts(token, 'unit', [1, 1], at('71')));
    expect((await hasty.closed(build)).verdict?.state).toBe('incomplete');
    const closed = await hasty.close(token, '71', 'e2e');
    expect(closed).toMatchObject({ id: build, closed_by: 'webhook', relevant_lines: 4, verdict: { state: 'success' } });
    expect(closed.flags.find(({ name }) => name === 'e2e')?.carried_from?.build).toBe(base.id);
  });

  test('a flag that the last 5 closed builds of the base branch do not upload any more is not missing', async () => {
    const { token } = await hasty.newRepo();
    await makeBase(token);
    for (const number of ['71', '72', '73', '74', '75']) {
      await hasty.uploadAlone(parts(token, 'unit', [1, 1], at(number, { parallel: false })));
    }
    const { build } = await hasty.upload(parts(token, 'unit', [1, 1], at('76', { compare_sha: shaOf('hasty 70') })));
    const closed = await hasty.closed(build);
    expect(closed).toMatchObject({ closed_by: 'deadline', verdict: { state: 'success' } });
    expect(closed.flags.find(({ name }) => name === 'e2e')?.verdict).toMatchObject({
      state: 'success',
      rule: 'not-reported',
    });
  });
});

describe('uploads and closes in any order (rule 14)', () => {
  /** Upload n brings a file of 2^n lines, so that the sum tells which ones are in. */
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('upload' as const), pause: fc.nat(30) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), pause: fc.nat(30) }) },
  );

  test('a job that was answered 200 is in the result of the next close', async () => {
    const { token } = await service.newRepo();
    let build = 100;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 10 }), async (actions) => {
        build += 1;
        const number = String(build);
        let answered = 0;
        let sent = 0;
        const upload = async (bit: number): Promise<void> => {
          const lines = Array.from({ length: bit }, () => 1);
          await service.upload({
            ...parts(token, `f${bit}`, lines),
            service_number: number,
            commit_sha: shaOf(number),
          });
          answered |= bit;
        };
        const close = async (): Promise<void> => {
          const due = answered;
          if (due === 0) return;
          const closed = await service.close(token, number);
          expect((closed.relevant_lines ?? 0) & due).toBe(due);
        };
        await upload(1);
        const running: Promise<void>[] = [];
        for (const { kind, pause } of actions) {
          for (let turns = 0; turns < pause; turns += 1) await turn();
          if (kind === 'upload') sent += 1;
          running.push(kind === 'close' ? close() : upload(2 ** sent));
        }
        await Promise.all(running);
        const all = 2 ** (sent + 1) - 1;
        expect(await service.close(token, number)).toMatchObject({
          state: 'closed',
          relevant_lines: all,
          covered_lines: all,
        });
        expect((await service.build(shaOf(number))).jobs).toHaveLength(sent + 1);
      }),
      { numRuns: 15 },
    );
  });
});
