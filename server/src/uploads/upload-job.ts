import { identifyUploader, type Uploader, type UploaderClaim } from '../access/uploaders/identify-uploader.ts';
import { checkRepoName } from '../access/uploaders/repo-of-token.ts';
import type { ResolvedToken } from '../access/uploaders/resolve-token.ts';
import { completeJobCommit, findUnmet } from '../closing/complete-commit.ts';
import { LONGEST_IDLE } from '../core/backoff.ts';
import type { Build } from '../core/builds/build.ts';
import { dueAt } from '../core/builds/due-tasks.ts';
import { factsOfForkRun } from '../core/builds/fork-facts.ts';
import type { JobFacts } from '../core/builds/job.ts';
import type { JobLimits, Quota } from '../core/builds/job-limits.ts';
import { quotasOf } from '../core/builds/unverified-quotas.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Repo } from '../core/repo/repo.ts';
import { type Counts, counted, type Texts } from '../core/sentences.ts';
import type { OverRate } from '../platform/limiter.ts';
import type { BroughtRules } from '../reports/ingest/ingest.ts';
import { splitRules } from '../reports/ingest/rules-field.ts';
import type { AcceptedJob, AcceptJob } from '../storage/store.ts';
import { describeUnmet, describeUnstated } from '../wording/upload-warnings.ts';
import type { UploadServices } from './upload-services.ts';

/** What is to be accepted once its repo is known. */
interface UploadedJob extends Omit<AcceptJob, 'repoId' | 'periods' | 'limits' | 'at'> {
  readonly token: string | undefined;
  /** What was looked up while it arrived. */
  readonly resolved: ResolvedToken | undefined;
  /** `<owner>/<name>`, where the client says so. */
  readonly repoName: string | undefined;
  /** Where it came from: of callers that nobody knows, those of one address are counted together. */
  readonly address: string;
  /** As its User-Agent says; may be empty. */
  readonly client: string;
  readonly filesWithoutSource: number;
  /** What is wrong with the keys of its source files. */
  readonly keyWarnings: readonly string[];
  /** The repo's own file, as the upload says. */
  readonly rules: BroughtRules | null | undefined;
  /** Whether it says which attempt it is. */
  readonly statesAttempt: boolean;
  /** Milliseconds since the upload was all here. */
  readonly spent?: number;
}

/** What one repo may send. */
interface RepoLimits extends Pick<JobLimits, 'bytesPerDay' | 'openBuilds'> {
  readonly jobsPerMinute: number;
}

/** Clients give up after ten seconds: none waits longer for its time than this, in ms. */
const WHOLE_ANSWER = 9_000;

export interface AcceptedUpload extends AcceptedJob {
  /** Those of its warnings that the person who set up the client should see. */
  readonly told: readonly string[];
}

/** Accepts a job: stored and synced, with the close that it makes due, before this answers (rule 11). */
export async function uploadJob(services: UploadServices, upload: UploadedJob): Promise<AcceptedUpload> {
  const { store, clock, config, jobRate, vouchedTokens, noteTokenUse, onDue, noteJob } = services;
  const { repoLimits: limits } = config;
  const { token, spent = 0 } = upload;
  const begun = clock.now();
  const uploader = await identifyUploader(services, claimOf(upload));
  const { repo, trust } = uploader;
  if (trust === 'provider' && token !== undefined) vouchedTokens.remember(token, repo.id);
  const otherRepo = trust === 'secret' ? await checkRepoName(services, { repo, repoName: upload.repoName }) : undefined;
  const sent = { repoId: repo.id, facts: factsOf(upload, uploader, services), trust };
  const { facts, warning: shortCommit } = await completeJobCommit(store.builds, sent);
  const told = [otherRepo, shortCommit].filter((sentence) => sentence !== undefined).concat(upload.keyWarnings);
  // What comes without a secret leaves room for what has one.
  const isOfFork = trust === 'run';
  const key = isOfFork ? `${repo.id} fork` : String(repo.id);
  const room = isOfFork ? halfOf(limits) : limits;
  const over = await jobRate.take(key, WHOLE_ANSWER - spent - (clock.now() - begun));
  const rules = rulesOf(upload, uploader, services);
  const accepted = await store.jobs.accept({
    repoId: repo.id,
    facts: { ...facts, ...rules.facts },
    totals: upload.totals,
    files: upload.files,
    contentDigest: upload.contentDigest,
    warnings: [...told, ...upload.warnings, ...rules.warnings, ...sourceWarnings(repo, upload)],
    report: upload.report,
    sources: [...upload.sources, ...rules.sources],
    periods: { late: config.latePeriod, quiet: repo.settings.quietPeriod ?? config.quietPeriod },
    bytes: upload.bytes,
    limits: {
      ...room,
      refusal: over && overRate(repo, over, limits),
      ...(isOfFork && { quotas: quotas({ facts, repoId: repo.id, address: upload.address }, services) }),
    },
    at: clock.now(),
  });
  if (accepted === undefined) {
    throw new Failure('repo-token-unknown', repoRemoved(quoteValue(repo.name)));
  }
  if (accepted.repeated && over === undefined) jobRate.giveBack(key);
  // What is due later the worker finds by itself. To look after each job cost MongoDB three commands of twenty-one.
  const next = dueAt(accepted.build);
  if (next !== undefined && next < clock.now() + LONGEST_IDLE) onDue();
  noteJob(accepted.build);
  // A name that only changed at its host is the repo's own.
  const repoName = otherRepo === undefined ? upload.repoName && repo.name : upload.repoName;
  if (trust === 'secret') await noteTokenUse({ repo, facts: upload.facts, repoName, client: upload.client });
  const first = uploader.warning === undefined ? told : [uploader.warning, ...told];
  return {
    ...accepted,
    told: [...first, ...(await warningsOfBuild(services, { repo, client: upload.client }, accepted.build))],
  };
}

/** What its build lacks so far. The job is stored: a store that fails now takes nothing back. */
async function warningsOfBuild(
  { store, hosts }: UploadServices,
  { repo, client }: Pick<UploadedJob, 'client'> & { readonly repo: Repo },
  build: Build,
): Promise<readonly string[]> {
  const unmet = await findUnmet(store.builds, build).catch(() => []);
  const isPlacedLater = hosts.of(repo)?.runs.triggerOf(build.eventType ?? '') === 'other-run';
  return [
    ...describeUnstated(build, { isManual: repo.service === 'manual', isPlacedLater, client }),
    // What may be the base once it is closed, or once this is, is told on the build.
    ...unmet.filter(({ why }) => why !== 'no-base').map(describeUnmet),
  ];
}

function overRate({ name }: Repo, { count, retryAfter }: OverRate, { jobsPerMinute }: RepoLimits): Failure {
  const over = { repo: quoteValue(name), jobs: count, limit: jobsPerMinute, retryAfter };
  return new Failure('over-limit', repoOverJobs(over), { retryAfter });
}

/**
 * One client sends the run's number as service_number and its id as service_job_id, the others the id as
 * service_number.
 */
function claimOf(upload: UploadedJob): UploaderClaim {
  const { token, resolved, repoName, facts, address, spent, statesAttempt } = upload;
  const content = (): string => JSON.stringify(['upload', facts, upload.contentDigest]);
  const commits = [facts.commit, facts.testedCommit].filter((commit) => commit !== undefined);
  const runs = [facts.serviceJobId, facts.serviceNumber];
  const fork = { serviceName: facts.serviceName, pullRequest: facts.pullRequest };
  return { token, resolved, repoName, address, runs, commits, fork, spent, facts, statesAttempt, content };
}

function factsOf(upload: UploadedJob, uploader: Uploader, { hosts }: UploadServices): JobFacts {
  const { repo, trust, run, fork, facts: claimed } = uploader;
  const facts = dropSecrets(upload);
  const host = hosts.of(repo);
  if (fork !== undefined && host !== undefined) return factsOfForkRun(facts, fork, host.runs);
  return { ...facts, ...claimed, trust, ...(run !== undefined && { vouchedRun: run }) };
}

/** A git host is asked for the file itself, and what a fork could have sent has no say in it. */
function rulesOf({ rules }: UploadedJob, { repo, trust, isRunClaimed }: Uploader, { hosts }: UploadServices) {
  const host = hosts.of(repo);
  if (trust === 'run' || host?.provider !== undefined) return { ...splitRules(undefined), warnings: [] };
  if (host === undefined || !isRunClaimed) return { ...splitRules(rules), warnings: [] };
  return { ...splitRules(undefined), warnings: rules ? [rulesUnproven(host.name)] : [] };
}

function rulesUnproven(host: string): string {
  return (
    `The upload's coverage_yml was not used: ${host} doesn't say which run this token belongs to, and a fork's run ` +
    `has such a token, too. Use the repo's own token or an id-token, or connect this server to ${host}.`
  );
}

/** Addresses are counted under a key that only this server can make of them. */
function quotas(
  { address, ...upload }: Parameters<typeof quotasOf>[0],
  { secrets, config }: UploadServices,
): readonly Quota[] {
  return quotasOf({ ...upload, address: secrets.lookups(address)[0] ?? '' }, config.unverifiedLimits);
}

function halfOf({ jobsPerMinute, bytesPerDay, openBuilds }: RepoLimits): RepoLimits {
  const half = (limit: number): number => Math.ceil(limit / 2);
  return { jobsPerMinute, bytesPerDay: half(bytesPerDay), openBuilds: half(openBuilds) };
}

/** One client may send the repo token as its job id: then it is none (wire.md). */
function dropSecrets(upload: UploadedJob): JobFacts {
  const { facts, token } = upload;
  return facts.serviceJobId === token ? { ...facts, serviceJobId: undefined } : facts;
}

function sourceWarnings(repo: Repo, upload: UploadedJob): readonly string[] {
  const { filesWithoutSource } = upload;
  if (repo.service !== 'manual' || filesWithoutSource === 0) return [];
  return [
    `${counted(filesWithoutSource, 'file')} came without source; a manual repo has no git host to read it from, so ` +
      'send "source" with each source file.',
  ];
}

function repoOverJobs({
  repo,
  jobs,
  limit,
  retryAfter,
}: Texts<'repo'> & Counts<'jobs' | 'limit' | 'retryAfter'>): string {
  return (
    `The repo ${repo} sent ${counted(jobs, 'job')} within a minute; the limit of one repo is ${limit} ` +
    `(MAX_REPO_JOBS_PER_MINUTE). Nothing was stored; send it again in ${retryAfter} s.`
  );
}

export function repoRemoved(repo: string): string {
  return `The repo ${repo} was removed while this job was uploaded. Create it again and use its new repo token.`;
}
