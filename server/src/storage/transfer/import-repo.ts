import { zstdCompressSync } from 'node:zlib';
import type { Job } from '../../core/builds/job.ts';
import { Failure } from '../../core/failure.ts';
import { auditBy, COMMAND_LINE } from '../../core/repo/audit.ts';
import { ADMIN_USER } from '../../core/repo/caller.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { RepoImport } from '../repo-transfers.ts';
import type { Store } from '../store.ts';
import {
  buildsWithJobs,
  type CheckedExport,
  readBuildReport,
  readJobReport,
  readText,
  recordsOf,
} from './check-export.ts';
import { digestOfPath, FACTS } from './folder-form.ts';
import type { FolderReader } from './read-folder.ts';
import { type ExportedJob, readFact } from './record-forms.ts';
import { type NewIds, renumberBuild } from './renumber.ts';

export interface ImportAsked {
  readonly folder: FolderReader;
  readonly checked: CheckedExport;
  /** What it is called here. */
  readonly address: RepoAddress;
  readonly now: number;
}

export interface Imported {
  readonly repo: Repo;
  /** In the clear. */
  readonly token: string;
  /** Builds that have another id here. */
  readonly renumbered: number;
}

type Deps = Pick<Store, 'transfers' | 'repos'> & { readonly secrets: Pick<Secrets, 'newRepoToken' | 'seal'> };

const JOBS_AT_ONCE = 50;
const BYTES_AT_ONCE = 8 * 2 ** 20;

/** Throws a Failure if the repo is there already. */
export async function refuseTaken({ repos }: Pick<Store, 'repos'>, { service, name }: RepoAddress): Promise<void> {
  if ((await repos.findByName(service, name)) !== undefined)
    throw new Failure('conflict', repoExists(`${service}/${name}`));
}

/**
 * Adds a repo of another server. Nobody sees any of it before the last write; what a process that ends before that has
 * written is cleared away.
 */
export async function importRepo(deps: Deps, asked: ImportAsked): Promise<Imported> {
  const { checked, address } = asked;
  await deps.transfers.clear();
  await refuseTaken(deps, address);
  const repo = await adopt(deps, asked);
  const { lastBuildId, lastJobId } = checked;
  const target = await deps.transfers.begin({ repo, lastBuildId: lastBuildId + 1, lastJobId });
  try {
    const renumbered = await fill(target, asked);
    return { repo: { ...repo, id: target.repoId }, token: await end(deps, target, { ...asked, repo }), renumbered };
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** Rule 28: it belongs to this server's administrators, since the users of the other one are not those of this. */
async function adopt({ repos }: Deps, { checked, address, now }: ImportAsked): Promise<Omit<Repo, 'id'>> {
  const { lastSequence: _, ...exported } = checked.repo;
  const isSame = address.service === exported.service && address.name.toLowerCase() === exported.name.toLowerCase();
  const { providerId } = exported;
  const isKnown = providerId !== undefined && (await repos.findByProviderId(address.service, providerId)) !== undefined;
  return {
    ...exported,
    ...address,
    owner: ADMIN_USER,
    providerId: isSame && !isKnown ? providerId : undefined,
    suspended: isSame ? exported.suspended : undefined,
    seen: isSame ? exported.seen : undefined,
    updatedAt: now,
  };
}

/** Answers how many builds have another id. */
async function fill(target: RepoImport, { folder, checked }: ImportAsked): Promise<number> {
  const { repoId } = target;
  // What refers to a build that was removed must not mean another one here: it gets an id that no build has.
  const wanted = [...checked.buildIds, checked.lastBuildId + 1];
  const taken = await target.takeBuildIds(wanted);
  const newIds = new Map(wanted.map((id, at) => [id, taken[at] ?? 0]));
  const nobody = taken.at(-1) ?? 0;
  const build = (id: number): number => newIds.get(id) ?? nobody;
  for await (const { build: exported, jobs } of buildsWithJobs(folder)) {
    const kept: ExportedJob[] = [];
    for await (const job of jobs) kept.push(job);
    const jobIds = await target.takeJobIds(kept.map(({ id }) => id));
    const newJobs = new Map(kept.map(({ id }, at) => [id, jobIds[at] ?? 0]));
    const ids: NewIds = { build, job: (id) => newJobs.get(id) ?? 0 };
    await target.addBuild(renumberBuild(exported, repoId, ids), (await readBuildReport(folder, exported))?.bytes);
    await fillJobs(target, { folder, jobs: kept, ids });
  }
  await fillTexts(target, folder);
  return checked.buildIds.filter((id) => newIds.get(id) !== id).length;
}

async function fillJobs(
  target: RepoImport,
  { folder, jobs, ids }: { readonly folder: FolderReader; readonly jobs: readonly ExportedJob[]; readonly ids: NewIds },
): Promise<void> {
  const { repoId } = target;
  let batch: { readonly job: Job; readonly report: Uint8Array }[] = [];
  let bytes = 0;
  for (const job of jobs) {
    const report = (await readJobReport(folder, job)).bytes;
    batch.push({ job: { ...job, id: ids.job(job.id), buildId: ids.build(job.buildId), repoId }, report });
    bytes += report.length;
    if (batch.length < JOBS_AT_ONCE && bytes < BYTES_AT_ONCE && job !== jobs.at(-1)) continue;
    await target.addJobs(batch);
    [batch, bytes] = [[], 0];
  }
}

async function fillTexts(target: RepoImport, folder: FolderReader): Promise<void> {
  for await (const path of folder.paths()) {
    const digest = digestOfPath(path);
    if (digest === undefined) continue;
    await target.addSources([{ digest, bytes: zstdCompressSync(await readText(folder, path, digest)) }]);
  }
  for await (const fact of recordsOf(folder, FACTS, readFact)) await target.addFacts([fact]);
}

async function end(
  { secrets }: Deps,
  target: RepoImport,
  { checked, address, now, repo }: ImportAsked & { readonly repo: Omit<Repo, 'id'> },
): Promise<string> {
  const token = secrets.newRepoToken();
  const whole = { ...repo, id: target.repoId };
  const builds = checked.buildIds.length;
  const isDone = await target.finish(
    {
      repo: whole,
      token: { ...secrets.seal(token), expiresAt: undefined },
      lastSequence: checked.repo.lastSequence,
      builds,
    },
    auditBy(COMMAND_LINE, { action: 'repo.imported', at: now, repo: whole, after: { builds } }),
  );
  if (!isDone) throw new Failure('conflict', repoExists(`${address.service}/${address.name}`));
  return token;
}

function repoExists(name: string): string {
  return `This database has a repo ${name} already. Remove that one, or give another name with --as.`;
}
