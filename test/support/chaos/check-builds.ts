import { isSharedFile, linesOfPercent, ownerOfFile } from './job-payload.ts';
import type { Ledger } from './ledger.ts';
import type { SeenBuild } from './outcome.ts';
import type { PlannedBuild } from './plan-builds.ts';
import { type PlannedJob, SHARED_LINES } from './plan-jobs.ts';

/**
 * Rules 9, 10 and 14: each planned build exists once, is closed, and holds every job that was answered 200, each once.
 */
export function checkBuilds(
  seen: readonly SeenBuild[],
  planned: readonly PlannedBuild[],
  ledger: Ledger,
): readonly string[] {
  const unplanned = seen
    .filter((build) => build.planned === undefined)
    .map((build) => `${show(build)} was not planned`);
  return [...unplanned, ...planned.flatMap((build) => checkPlanned(build, seen, ledger))];
}

function checkPlanned(planned: PlannedBuild, all: readonly SeenBuild[], ledger: Ledger): readonly string[] {
  const [build, ...others] = all.filter((one) => one.planned === planned);
  if (build === undefined) return [`there is no build for ${describe(planned)}`];
  if (others.length > 0) return [`there are ${others.length + 1} builds for ${describe(planned)}`];
  if (build.json.state !== 'closed') return [`${show(build)} is not closed`];
  return [
    ...checkJobs(build, planned),
    ...planned.jobs.flatMap((job) => checkReceipts(build, job, ledger)),
    ...checkReport(build, planned, all),
  ];
}

/** Each job once, numbered 1, 2, 3, … */
function checkJobs({ json, ...build }: SeenBuild, planned: PlannedBuild): readonly string[] {
  const findings: string[] = [];
  const numbers = json.jobs.map(({ number }) => number);
  const expected = planned.jobs.map((_, index) => `${json.number}.${index + 1}`);
  if (numbers.join() !== expected.join())
    findings.push(`${show({ json, ...build })} has the jobs ${numbers}, expected ${expected}`);
  const lines = json.jobs.map((job) => linesOfPercent(job.covered_percent ?? 0));
  for (const job of planned.jobs) {
    const times = lines.filter((own) => own === job.lines).length;
    if (times !== 1) findings.push(`${show({ json, ...build })} holds the job ${job.name} ${times} times`);
  }
  return findings;
}

/** Whatever instance answered, and however often: it is the same job, and it is in this build. */
function checkReceipts(build: SeenBuild, job: PlannedJob, ledger: Ledger): readonly string[] {
  const receipts = ledger.receipts(job);
  const urls = new Set(receipts.map(({ url }) => url));
  if (urls.size !== 1) return [`the upload of ${job.name} was answered as ${[...urls].join(' and ') || 'nothing'}`];
  const found = build.json.jobs.find(({ url }) => urls.has(url));
  if (found === undefined) return [`${job.name} was answered as ${[...urls]}, which ${show(build)} does not hold`];
  const findings: string[] = [];
  if (linesOfPercent(found.covered_percent ?? 0) !== job.lines)
    findings.push(`${job.name} was answered as ${found.number}, which is another job`);
  for (const message of new Set(receipts.map((receipt) => receipt.message))) {
    if (message !== `Job #${found.number}`)
      findings.push(`${job.name} was answered "${message}", but is ${found.number}`);
  }
  return findings;
}

/** The merged report is the exact sum of the jobs that count, and of what is said to be carried. */
function checkReport(build: SeenBuild, planned: PlannedBuild, all: readonly SeenBuild[]): readonly string[] {
  const findings: string[] = [];
  const counted = new Map(planned.jobs.filter((job) => !job.replaced).map((job) => [job.name, job]));
  const carried = carriedJobs(build, all);
  const missing = new Set(counted.keys());
  for (const file of build.files) {
    if (isSharedFile(file.name)) continue;
    const name = ownerOfFile(file.name) ?? '';
    missing.delete(name);
    const job = counted.get(name) ?? carried.get(name);
    if (job === undefined) findings.push(`${show(build)} reports ${file.name}, which none of its jobs has`);
    else if (file.covered_line_count !== job.lines || file.relevant_line_count !== job.lines)
      findings.push(
        `${show(build)} reports ${file.covered_line_count} lines of ${file.name} as covered, not ${job.lines}`,
      );
  }
  for (const name of missing) findings.push(`${show(build)} lacks ${name}, which was answered 200`);
  const covered = build.files.reduce((sum, file) => sum + file.covered_line_count, 0);
  const { covered_lines, relevant_lines } = build.json;
  if (covered_lines !== covered || relevant_lines !== SHARED_LINES + covered)
    findings.push(`${show(build)} says ${covered_lines} of ${relevant_lines} lines, but its files have ${covered}`);
  return findings;
}

/** Jobs of the builds that carried flags come from, as far as they have that flag. */
function carriedJobs(build: SeenBuild, all: readonly SeenBuild[]): ReadonlyMap<string, PlannedJob> {
  const jobs = build.json.flags.flatMap(({ name, carried_from }) => {
    const origin = all.find(({ json }) => json.id === carried_from?.build);
    return (origin?.planned?.jobs ?? []).filter((job) => job.flag === name);
  });
  return new Map(jobs.map((job) => [job.name, job]));
}

function describe({ index, repo, number, commit, pullRequest }: PlannedBuild): string {
  return (
    `b${index} (${repo.name}, number ${number ?? 'none'}, commit ${commit.slice(0, 7)}, pull request ` +
    `${pullRequest ?? 'none'})`
  );
}

function show({ repo, json, planned }: Pick<SeenBuild, 'repo' | 'json' | 'planned'>): string {
  const { id, number, commit_sha } = json;
  return `build ${id} of ${repo} (b${planned?.index ?? '?'}, number ${number}, commit ${commit_sha?.slice(0, 7)})`;
}
