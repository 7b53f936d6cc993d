import type { HistorySource, ImportedDetail } from '../core/builds/imported.ts';
import type { Actor } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';

/** What a history holds that was uploaded (transfer/check-history.ts). */
export interface FoundHistory {
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
}

export interface FoundBuild {
  readonly commit: string;
  readonly at: Timestamp;
  readonly shown?: number | undefined;
  readonly detail: ImportedDetail;
}

/** `checked`: uploaded, and nothing of it is in the repo. `removing`: what was imported is taken away again. */
export type HistoryState = 'checked' | 'running' | 'done' | 'failed' | 'removing';

/** The import of a repo's history: one at a time. */
export interface HistoryImport {
  readonly repoId: number;
  readonly state: HistoryState;
  readonly found: FoundHistory;
  /** Who uploaded it, or acts on it since. */
  readonly by: Actor;
  /** When its state began. */
  readonly at: Timestamp;
  /** Builds that are there by it. */
  readonly added: number;
  /** Builds that stay out: their commit has one of this server, or was imported before. */
  readonly own: number;
  readonly again: number;
  readonly between: number;
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
