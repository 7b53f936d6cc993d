import { countsJson, percentJson } from '../../builds/http/percentages.ts';
import type { ShownJob } from '../../builds/show-build.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';

/** `GET /jobs/<id>.json` */
export function presentJob(shown: ShownJob, addresses: Addresses): Answer<'job'> {
  const { job, build, repo } = shown;
  return {
    id: String(job.id),
    url: addresses.job(job.id),
    number: `${build.number}.${job.number}`,
    build: String(build.id),
    build_url: addresses.build(build.id),
    repo_name: repo.name,
    flag_name: job.facts.flag ?? null,
    service_name: job.facts.serviceName,
    service_job_id: job.facts.serviceJobId ?? null,
    commit_sha: job.facts.commit ?? build.commit ?? null,
    branch: job.facts.branch ?? null,
    parallel: job.facts.parallel,
    run_at: new Date(job.facts.runAt ?? job.createdAt).toISOString(),
    created_at: new Date(job.createdAt).toISOString(),
    covered_percent: percentJson(job.totals),
    ...countsJson(job.totals),
    warnings: job.warnings,
  };
}
