import type { Delivery } from '../core/announce/delivery.ts';
import type { Build } from '../core/builds/build.ts';
import type { Job } from '../core/builds/job.ts';
import type { Account, Member, ShareLink } from '../core/repo/account.ts';
import type { AuditRecord } from '../core/repo/audit.ts';
import type { PersonalToken, Repo, StoredRepoToken } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { StoredHostApp } from '../ports/host-apps.ts';

/**
 * Everything that a store holds, in the words of core: what is read from one store and written to another. What an
 * adapter derives from it to find it by is not part of it, nor are leases: no process may run in the meantime.
 */
export interface ArchiveRecords {
  /** The last id that was given, so that none is given twice. */
  readonly counter: { readonly name: string; readonly value: number };
  readonly repo: {
    readonly repo: Repo;
    /** The last sequence that a build of it took. */
    readonly lastSequence: number;
    /** In order of id; those in their grace period too. */
    readonly tokens: readonly (StoredRepoToken & { readonly id: number })[];
  };
  readonly 'personal-token': PersonalToken;
  readonly account: Account;
  readonly audit: AuditRecord;
  readonly member: Member;
  readonly 'share-link': ShareLink;
  readonly 'host-app': StoredHostApp;
  /** Its bytes: the merged report of the last close. */
  readonly build: { readonly build: Build; readonly notBefore: Timestamp | undefined };
  /** Its bytes: the report. */
  readonly job: Job;
  /** Its bytes: the text, as it is stored. */
  readonly source: { readonly repoId: number; readonly digest: string };
  /** What the provider said: its JSON as text. */
  readonly fact: { readonly repoId: number; readonly key: string; readonly at: Timestamp; readonly value: string };
  /** Which lines of a branch flip: its ledger as JSON. `head`: its newest build. */
  readonly 'flip-ledger': {
    readonly repoId: number;
    readonly branch: string;
    readonly head: number;
    readonly ledger: string;
  };
  readonly delivery: Delivery;
}

export type ArchiveKind = keyof ArchiveRecords;

/** Counts the checks of a store, not ids, so it is not copied. */
export const CHECK_COUNTER = 'check';

/** What the name of an archive begins with that is a backup being restored. */
export const BACKUP_NAME = 'backup:';

export interface ArchiveEntry<K extends ArchiveKind = ArchiveKind> {
  readonly record: ArchiveRecords[K];
  readonly bytes?: Uint8Array | undefined;
}

/** How an adapter reads the entries of each kind behind a key. */
export type ArchiveReads = {
  readonly [K in ArchiveKind]: (after: string | undefined) => AsyncIterable<ArchiveEntry<K>>;
};

/** A store that is read from its first entry to its last. */
export interface ArchiveReader {
  /** Its URL without user, password and options, for people and to recognize it. */
  readonly name: string;
  /**
   * The entries of a kind behind the key `after`, in an order of keys that is the same in every store. Throws a Failure
   * when one is damaged.
   */
  read<K extends ArchiveKind>(kind: K, after: string | undefined): AsyncIterable<ArchiveEntry<K>>;
  close(): Promise<void>;
}

/** A store that is filled. Until `finish`, no server starts on it. */
export interface ArchiveWriter extends ArchiveReader {
  /** What it holds that no copy brought; empty: nothing. */
  contents(): Promise<readonly Holding[]>;
  /** Undefined: no copy into it is in progress. */
  findNote(): Promise<CopyNote | undefined>;
  /** Marks it as the target of a copy. */
  begin(from: string): Promise<void>;
  /** Durable when it answers. Writing a batch twice is the same as once. */
  write<K extends ArchiveKind>(batch: ArchiveBatch<K>): Promise<void>;
  /** Takes the mark away: servers may start. */
  finish(): Promise<void>;
}

export interface Holding {
  /** A table or collection, in words. */
  readonly what: string;
  readonly count: number;
}

/** What a copy notes in its target, to continue from after it was cut off. */
export interface CopyNote {
  /** The `name` of what is copied. */
  readonly from: string;
  readonly progress: Readonly<Partial<Record<ArchiveKind, KindProgress>>>;
}

/** What is written of a kind: the entries up to the key `after`, with their digest (copy/digest.ts). */
export interface KindProgress {
  readonly after: string;
  readonly count: number;
  readonly digest: string;
}

/** Entries in order, and how far the copy is once they are written. */
export interface ArchiveBatch<K extends ArchiveKind = ArchiveKind> {
  readonly kind: K;
  readonly entries: readonly ArchiveEntry<K>[];
  readonly progress: KindProgress;
}

interface KindForm<Record> {
  /** If there are several, for people. */
  readonly words: string;
  /** What one is called among its kind. */
  key(record: Record): string;
}

/** In the order of copying: what refers to something else comes after it. */
const KINDS: { readonly [K in ArchiveKind]: KindForm<ArchiveRecords[K]> } = {
  counter: { words: 'counters', key: ({ name }) => name },
  repo: { words: 'repos', key: ({ repo }) => String(repo.id) },
  'personal-token': { words: 'personal tokens', key: ({ id }) => String(id) },
  account: { words: 'accounts', key: ({ id }) => String(id) },
  audit: { words: 'audit entries', key: ({ id }) => String(id) },
  member: { words: 'members', key: ({ repoId, accountId }) => `${repoId}/${accountId}` },
  'share-link': { words: 'share links', key: ({ id }) => String(id) },
  'host-app': { words: 'Apps of git hosts', key: ({ service }) => service },
  build: { words: 'builds', key: ({ build }) => String(build.id) },
  job: { words: 'jobs', key: ({ buildId, number }) => `${buildId}/${number}` },
  source: { words: 'sources', key: ({ repoId, digest }) => `${repoId}/${digest}` },
  fact: { words: 'facts', key: ({ repoId, key }) => `${repoId}/${key}` },
  'flip-ledger': { words: 'records of lines that flip', key: ({ repoId, branch }) => `${repoId}/${branch}` },
  delivery: { words: 'announcements', key: ({ id }) => String(id) },
};

export const ARCHIVE_KINDS = Object.keys(KINDS) as readonly ArchiveKind[];

/** Several of a kind, for people. */
export function wordsOfKind(kind: ArchiveKind): string {
  return KINDS[kind].words;
}

/** By what entries of a kind are ordered: ids as numbers, `<id>/<rest>` by the id, then the rest. */
export function keyOfEntry<K extends ArchiveKind>(kind: K, { record }: ArchiveEntry<K>): string {
  return KINDS[kind].key(record);
}

/** The id that a key begins with; 0, which no id is, before the first. */
export function idOfKey(key: string | undefined): number {
  return key === undefined ? 0 : Number(key.split('/', 1)[0]);
}

/** What follows the id in a key; empty before the first. */
export function restOfKey(key: string | undefined): string {
  return key?.slice(key.indexOf('/') + 1) ?? '';
}
