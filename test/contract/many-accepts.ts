import { expect } from 'vitest';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import type { AcceptedJob, Store } from '../../server/src/storage/store.ts';
import { accept, bytes, hex } from './records.ts';

export const BUILDS = 8;

/** A job of one of the builds, like no other. */
export function send(store: Store, repo: Repo, n: number): Promise<AcceptedJob> {
  const build = String(n % BUILDS);
  const facts = { serviceNumber: build, commit: hex(n % BUILDS), parallel: true, serviceJobId: String(n) };
  return accept(store, repo.id, facts, { contentDigest: hex(n, 64), report: bytes(`report ${n}`) });
}

/** Opens the builds, and answers the numbers of jobs that may follow. */
export async function openBuilds(store: Store, repo: Repo, jobs: number): Promise<readonly number[]> {
  for (let n = 0; n < BUILDS; n += 1) await send(store, repo, n);
  return Array.from({ length: jobs }, (_, n) => BUILDS + n);
}

/** Each of these was accepted as a job of its own, with its report; and no other was. */
export async function expectEachOnce(
  store: Store,
  accepted: readonly AcceptedJob[],
  jobsOfBuild: number,
): Promise<void> {
  expect(new Set(accepted.map(({ build, job }) => `${build.id}/${job.number}`)).size).toBe(accepted.length);
  for (const id of new Set(accepted.map(({ build }) => build.id))) {
    const stored = await store.jobs.ofBuild(id);
    expect(stored.map(({ number }) => number)).toEqual(Array.from({ length: jobsOfBuild }, (_, n) => n + 1));
    expect((await store.builds.find(id))?.jobs).toBe(jobsOfBuild);
    const reports = await store.jobs.reports(stored.map((job) => job.id));
    expect(reports).toEqual(stored.map(({ facts }) => bytes(`report ${facts.serviceJobId}`)));
  }
}
