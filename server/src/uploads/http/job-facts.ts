import { readGitRef, readPullRequest, stripBranchPrefix } from '../../core/builds/git-ref.ts';
import type { JobFacts } from '../../core/builds/job.ts';
import type { SentDiff } from '../../core/diff/sent-diff.ts';
import type { GitHost } from '../../core/repo/git-host.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Envelope } from './envelope.ts';

/** What an envelope says in the words of core (wire.md "Fields"), with warnings about it. */
export function toJobFacts(
  envelope: Envelope,
  { hosts, diff }: { readonly hosts: readonly Pick<GitHost, 'refs'>[]; readonly diff?: SentDiff | undefined },
): { readonly facts: JobFacts; readonly warnings: readonly string[] } {
  const head = envelope.git.head;
  const commit = sha(envelope.commit_sha ?? head?.id ?? envelope.environment);
  const tested = sha(envelope.service_tested_sha);
  const refs = [envelope.git.branch, envelope.service_branch].map((name) => readGitRef(name, commit, hosts));
  const ref = refs.find((one) => one.branch !== undefined);
  const runAt = readRunAt(envelope.run_at);
  const facts: JobFacts = {
    serviceName: envelope.service_name ?? '',
    serviceNumber: envelope.service_number,
    serviceJobId: envelope.service_job_id,
    serviceJobNumber: envelope.service_job_number,
    ...(envelope.service_run_id !== undefined && { serviceRun: envelope.service_run_id }),
    serviceAttempt: readAttempt(envelope.service_attempt),
    serviceEventType: envelope.service_event_type,
    pullRequest:
      readPullRequest(envelope.service_pull_request) ?? refs.find((one) => one.pullRequest !== undefined)?.pullRequest,
    flag: envelope.flag_name,
    parallel: envelope.parallel,
    ...(envelope.expected_jobs !== undefined && { expectedJobs: envelope.expected_jobs }),
    commit,
    testedCommit: tested === commit ? undefined : tested,
    branch: ref?.branch,
    tag: ref?.tag ?? false,
    mergeQueue: ref?.queue !== undefined,
    baseBranch: ref?.queue?.baseBranch ?? cleanBranch(envelope.service_base_branch),
    baseCommit: sha(envelope.service_base_sha) ?? ref?.queue?.baseCommit,
    compareRef: cleanBranch(envelope.compare_ref),
    compareCommit: sha(envelope.compare_sha),
    message: head?.message,
    remotes: envelope.git.remotes,
    authors: {
      authorName: head?.authorName,
      authorEmail: head?.authorEmail,
      committerName: head?.committerName,
      committerEmail: head?.committerEmail,
    },
    buildUrl: webAddress(envelope.service_build_url),
    jobUrl: webAddress(envelope.service_job_url),
    runAt,
    diff,
    trust: 'secret',
  };
  const isUnreadableTime = envelope.run_at !== undefined && runAt === undefined;
  return {
    facts,
    warnings: isUnreadableTime ? ['run_at could not be read as a time; the time of arrival counts.'] : [],
  };
}

function sha(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9a-f]{7,64}$/i.test(text) ? text.toLowerCase() : text;
}

function cleanBranch(name: string | undefined): string | undefined {
  return name === undefined ? undefined : stripBranchPrefix(name) || undefined;
}

function readAttempt(text: string | undefined): number {
  const attempt = Number(text);
  return Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1;
}

/** Without a zone a time is taken as UTC: the server's own zone says nothing about a CI machine. */
function readRunAt(text: string | undefined): Timestamp | undefined {
  const zoned =
    text !== undefined && /\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text) && !/[+-]\d{2}:\d{2}$/.test(text)
      ? `${text}Z`
      : text;
  const time = Date.parse(zoned ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Rule 26: an address from an upload is a link only when it is http(s); credentials in it are dropped (wire.md). */
function webAddress(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}
