import type { HistoryRemarks, HistorySource, ImportedDetail } from '../core/builds/imported.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { Actor, AuditSubject } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';

/** What a history holds that was uploaded (transfer/check-history.ts). */
export interface FoundHistory extends HistoryRemarks {
  readonly from: HistorySource;
  /** Where it was read. */
  readonly address: string;
  /** The repo that it was written for, `<service>/<name>`. */
  readonly repo: string;
  readonly builds: number;
  readonly withLines: number;
  readonly withCounts: number;
  readonly branches: readonly string[];
  readonly flags: readonly string[];
  readonly newest: FoundBuild;
  readonly oldest: FoundBuild;
  /** What of it is not in the repo yet; absent if an earlier version checked it. */
  readonly plan?: HistoryPlan | undefined;
}

/** Builds of a history: those that would be added, by how much is known of them, and those that would stay out. */
export interface HistoryPlan extends StayingOut {
  readonly fresh: Readonly<Record<ImportedDetail, number>>;
}

export interface StayingOut {
  /** The repo has a build of its own for their commit. */
  readonly own: number;
  /** They were imported before. */
  readonly again: number;
  /** An earlier import brought builds that are older: sequences go down with time. */
  readonly between: number;
}

export interface FoundBuild {
  readonly commit: string;
  readonly at: Timestamp;
  readonly shown?: number | undefined;
  /** As this server counts it. */
  readonly here?: CoverageTotals | undefined;
  /** Lines that count as partly covered there. */
  readonly partialLines?: number | undefined;
  readonly detail: ImportedDetail;
}

/** `checked`: uploaded, and nothing of it is in the repo. `removing`: what was imported is taken away again. */
export type HistoryState = 'checked' | 'running' | 'paused' | 'done' | 'failed' | 'removing';

/** Something that happened to an import. */
export interface HistoryEvent {
  readonly what: 'uploaded' | 'started' | 'paused' | 'failed' | 'done';
  readonly at: Timestamp;
  /** Undefined: the server itself. */
  readonly by?: AuditSubject | undefined;
  /** Builds that were looked at until then. */
  readonly looked: number;
}

/** Events that are kept of an import, the newest. */
export const MAX_EVENTS = 50;

/** The import of a repo's history: one at a time. */
export interface HistoryImport extends StayingOut {
  readonly repoId: number;
  readonly state: HistoryState;
  readonly found: FoundHistory;
  /** Who uploaded it, or acts on it since. */
  readonly by: Actor;
  /** When its state began. */
  readonly at: Timestamp;
  /** Builds that are there by it. */
  readonly added: number;
  /** When it was started first: what it has added since then is its own. */
  readonly startedAt?: Timestamp | undefined;
  /** What happened, the oldest first. */
  readonly log?: readonly HistoryEvent[] | undefined;
  /** A sentence. */
  readonly failure?: string | undefined;
  /** A process works on it until then, unless it says so again. */
  readonly leaseUntil: Timestamp;
  /** In how many parts the upload is kept. */
  readonly parts: number;
}

/** A piece of an upload, in base64. */
export interface HistoryPart {
  readonly repoId: number;
  readonly part: number;
  readonly data: string;
}

export interface HistoryImportStore {
  find(repoId: number): Promise<HistoryImport | undefined>;
  list(): Promise<readonly HistoryImport[]>;
  /** Replaces what is there with a new upload. False: the repo is gone. */
  begin(begun: HistoryImport, parts: AsyncIterable<string>): Promise<boolean>;
  /** Changes it to what `to` makes of it; undefined leaves it. Answers what was written. */
  change(repoId: number, to: (record: HistoryImport) => HistoryImport | undefined): Promise<HistoryImport | undefined>;
  /** The upload, part by part. */
  parts(repoId: number): AsyncIterable<string>;
  /** Takes the upload away. */
  dropParts(repoId: number): Promise<void>;
  remove(repoId: number): Promise<void>;
}
