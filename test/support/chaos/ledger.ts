import type { PlannedBuild } from './plan-builds.ts';
import type { PlannedJob } from './plan-jobs.ts';

/** An answer 200 to an upload. */
export interface JobReceipt {
  readonly message: string;
  readonly url: string;
}

/**
 * What clients were promised, and what they may therefore expect. Times are ms of performance.now(), unless stated
 * otherwise.
 */
export interface Ledger {
  /** To be told before each attempt to upload it. */
  sending(job: PlannedJob): void;
  accepted(build: PlannedBuild, job: PlannedJob, receipt: JobReceipt): void;
  /** To be told before each attempt to close it when all its jobs were answered. */
  closing(build: PlannedBuild): void;
  /** When that was first tried, in ms since 1970; undefined: never. */
  closedFrom(build: PlannedBuild): number | undefined;
  receipts(job: PlannedJob): readonly JobReceipt[];
  /** Whether a job of the build was answered 200 by now. */
  exists(build: PlannedBuild): boolean;
  /**
   * Since when no deadline can have passed in a repo: its youngest accepted job was first sent then, or later.
   * Undefined while none is accepted.
   */
  youngest(repo: string): number | undefined;
}

export function createLedger(): Ledger {
  const firstSent = new Map<string, number>();
  const receipts = new Map<string, JobReceipt[]>();
  const builds = new Set<number>();
  const youngest = new Map<string, number>();
  const closes = new Map<number, number>();
  return {
    sending: ({ name }) => {
      if (!firstSent.has(name)) firstSent.set(name, performance.now());
    },
    accepted: (build, { name }, receipt) => {
      receipts.set(name, [...(receipts.get(name) ?? []), receipt]);
      builds.add(build.index);
      const { name: repo } = build.repo;
      youngest.set(repo, Math.max(youngest.get(repo) ?? 0, firstSent.get(name) ?? 0));
    },
    closing: ({ index }) => {
      if (!closes.has(index)) closes.set(index, Date.now());
    },
    closedFrom: ({ index }) => closes.get(index),
    receipts: ({ name }) => receipts.get(name) ?? [],
    exists: ({ index }) => builds.has(index),
    youngest: (repo) => youngest.get(repo),
  };
}
