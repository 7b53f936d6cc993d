import { acceptJob, openBuild, uploadKey } from '../core/builds/accept-job.ts';
import type { Build } from '../core/builds/build.ts';
import type { Job, JobFacts } from '../core/builds/job.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { SentDiff } from '../core/diff/sent-diff.ts';
import type { Timestamp } from '../core/time.ts';
import type { BroughtRules } from '../reports/ingest/ingest.ts';
import { splitRules } from '../reports/ingest/rules-field.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { JobStore } from '../storage/store.ts';
import type { PreviewQuestion } from './preview-question.ts';

/** No stored build or job has such ids. */
const BUILD_ID = -1;
const jobIdAt = (index: number): number => -1 - index;

/** A job as a thread read it. */
export interface PreviewedJob {
  readonly facts: JobFacts;
  readonly totals: CoverageTotals;
  readonly files: number;
  readonly contentDigest: string;
  readonly warnings: readonly string[];
  readonly report: ReportBytes;
  readonly sources: readonly { readonly digest: string; readonly bytes: Uint8Array }[];
}

export interface UnstoredInput {
  readonly repoId: number;
  readonly question: PreviewQuestion;
  readonly jobs: readonly PreviewedJob[];
  /** The diff that the build's upload would bring; undefined: the git host knows it. */
  readonly diff: SentDiff | undefined;
  /** The repo's own file, as that upload would bring it; null: there is none. */
  readonly rules: BroughtRules | null | undefined;
  /** The texts of diffs. */
  readonly sources: PreviewedJob['sources'];
  readonly at: Timestamp;
}

/** A pull request's build that is in memory alone, with its close due, and the jobs as a close reads them. */
export interface UnstoredBuild {
  readonly build: Build;
  readonly jobs: Pick<JobStore, 'ofBuild' | 'reports' | 'source'>;
}

/** A pull request that has no number yet has this one, which no host gives. */
const NO_NUMBER = 0;

/** `stored` answers what is asked of other builds. */
export function createUnstoredBuild(
  input: UnstoredInput,
  stored: Pick<JobStore, 'ofBuild' | 'reports' | 'source'>,
): UnstoredBuild {
  const { question, diff, at } = input;
  const rules = splitRules(input.rules);
  const facts = { ...factsOf(question), diff, ...rules.facts };
  const sent = distinct(input.jobs.map((job) => ({ ...job, facts: { ...job.facts, ...facts } })));
  const place = { id: BUILD_ID, repoId: input.repoId, sequence: Number.MAX_SAFE_INTEGER, at };
  const opened = openBuild(sent[0]?.facts as JobFacts, place);
  const when = { at, periods: { quiet: 0, late: 0 } };
  const build = sent.reduce((open, job) => acceptJob(open, job.facts, when), opened);
  const jobs = sent.map((job, index) => toJob(input, job, index));
  const texts = new Map(
    [...input.sources, ...rules.sources, ...sent.flatMap(({ sources }) => sources)].map((one) => [one.digest, one]),
  );
  return {
    build: { ...build, carryforward: question.carryforward, target: question.head },
    jobs: {
      ofBuild: async (id) => (id === BUILD_ID ? jobs : stored.ofBuild(id)),
      reports: async (ids) => {
        const known = await stored.reports(ids.filter((id) => id >= 0));
        const rest = known.values();
        return ids.map((id) => (id >= 0 ? rest.next().value : sent[-1 - id]?.report) as ReportBytes);
      },
      source: async (repoId, digest) => texts.get(digest) ?? stored.source(repoId, digest),
    },
  };
}

/** What all its jobs state alike. One that is not parallel makes the close due (rule 11). */
function factsOf({ head, branch, baseBranch, mergeBase, pullRequest }: PreviewQuestion) {
  return {
    commit: head,
    testedCommit: undefined,
    branch,
    tag: false,
    mergeQueue: false,
    pullRequest: pullRequest ?? NO_NUMBER,
    baseBranch,
    baseCommit: mergeBase,
    compareRef: undefined,
    compareCommit: undefined,
    serviceNumber: undefined,
    parallel: false,
    trust: 'secret',
  } as const satisfies Partial<JobFacts>;
}

/** Rule 10: the same upload sent twice counts once. */
function distinct(jobs: readonly PreviewedJob[]): readonly PreviewedJob[] {
  return [...new Map(jobs.map((job) => [uploadKey(job.facts, job.contentDigest), job])).values()];
}

function toJob({ repoId, at }: UnstoredInput, job: PreviewedJob, index: number): Job {
  const { facts, totals, files, contentDigest, warnings } = job;
  const place = { id: jobIdAt(index), repoId, buildId: BUILD_ID, number: index + 1 };
  return { ...place, facts, totals, files, contentDigest, warnings, createdAt: at };
}
