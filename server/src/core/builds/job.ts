import type { CoverageTotals } from '../coverage/totals.ts';
import type { SentDiff } from '../diff/sent-diff.ts';
import type { VouchedRun } from '../repo/workflow-run.ts';
import type { Timestamp } from '../time.ts';
import type { SentRules } from './sent-rules.ts';

/** Who vouched for an upload (rule 29). */
export type Trust = 'secret' | 'provider' | 'run';

/** Who wrote a commit, as uploads state it: any text, never validated. */
export interface CommitAuthors {
  readonly authorName: string | undefined;
  readonly authorEmail: string | undefined;
  readonly committerName: string | undefined;
  readonly committerEmail: string | undefined;
}

/** What an upload says about itself, after the cleaning of wire.md. Strings are trimmed and never empty. */
export interface JobFacts {
  readonly serviceName: string;
  /** The CI's build number, as sent. */
  readonly serviceNumber: string | undefined;
  readonly serviceJobId: string | undefined;
  readonly serviceJobNumber: string | undefined;
  /** The host's id of the run, where it is no other field; absent if it was not sent. */
  readonly serviceRun?: string | undefined;
  /** A re-run's number, 1 for the first (rule 10). */
  readonly serviceAttempt: number;
  readonly serviceEventType: string | undefined;
  readonly pullRequest: number | undefined;
  readonly flag: string | undefined;
  readonly parallel: boolean;
  /** How many jobs the build will have, as this one states; absent if it does not say (rule 11). */
  readonly expectedJobs?: number | undefined;
  /** The commit being built; for a pull request its head. */
  readonly commit: string | undefined;
  /** The commit that was tested (the merge commit), where it is another. */
  readonly testedCommit: string | undefined;
  /** Cleaned name of the branch or tag. */
  readonly branch: string | undefined;
  /** Whether `branch` came as `refs/tags/...`. */
  readonly tag: boolean;
  /** Set for a merge queue's branch `gh-readonly-queue/<base>/pr-N-<sha>`. */
  readonly mergeQueue: boolean;
  readonly baseBranch: string | undefined;
  readonly baseCommit: string | undefined;
  readonly compareRef: string | undefined;
  readonly compareCommit: string | undefined;
  readonly message: string | undefined;
  /** Addresses of git remotes without credentials, a blank between two; absent in jobs of earlier versions. */
  readonly remotes?: string | undefined;
  readonly authors: CommitAuthors;
  /** http(s) only (rule 26). */
  readonly buildUrl: string | undefined;
  readonly jobUrl: string | undefined;
  /** When the job says it ran; undefined means when it arrived. */
  readonly runAt: Timestamp | undefined;
  /** What changed, by the upload's own word; absent if it says nothing, and in jobs of earlier versions. */
  readonly diff?: SentDiff | undefined;
  /** The repo's own file at the tested commit, null: there is none; absent if it says nothing that is used. */
  readonly rulesFile?: SentRules | null | undefined;
  readonly trust: Trust;
  /** Only where a git host vouched for it by a workflow's own token (rule 29). */
  readonly vouchedRun?: VouchedRun | undefined;
}

/** A stored upload. Its report is stored apart, under the job's id. */
export interface Job {
  readonly id: number;
  readonly repoId: number;
  readonly buildId: number;
  /** 1-based, within the build, in order of arrival. */
  readonly number: number;
  readonly facts: JobFacts;
  readonly totals: CoverageTotals;
  readonly files: number;
  /** Hex SHA-256 over the report's columns, names and digests: equal contents, equal digest (rule 10). */
  readonly contentDigest: string;
  /** Sentences about what was wrong with this upload (a negative count, a missing source). */
  readonly warnings: readonly string[];
  readonly createdAt: Timestamp;
}

/** The flags that jobs were uploaded under, each once. */
export function flagsOf(jobs: readonly Job[]): readonly string[] {
  return [...new Set(jobs.map((job) => job.facts.flag).filter((flag) => flag !== undefined))];
}
