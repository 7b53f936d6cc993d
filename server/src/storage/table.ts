import type { AuditEntry } from '../core/repo/audit.ts';
import type { ArchiveKind } from './archive.ts';

/**
 * A stored thing, declared once. SQLite (schema.ts makes its tables) has the record as JSON beside a column for each
 * field of `key`, `columns` and `derived`. MongoDB has it as `record`, beside the fields of `beside` and `derived`;
 * `_id` is the key.
 */
export interface Declaration<R, Name extends string = string, Derived = unknown> {
  /** For the table and for the collection. */
  readonly name: Name;
  /** What one of it is found by: a field of its own, or the repo and what it is called there. */
  readonly key: readonly Field<R>[];
  readonly columns?: readonly Field<R>[];
  readonly beside?: readonly Field<R>[];
  /** What it is found by, and does not say itself in one field. */
  readonly derived?: { readonly [F in keyof Derived]: (record: R) => Derived[F] };
  /** Its fields are all columns, and are in the document itself: there is no record. */
  readonly flat?: true;
  /** How MongoDB has it where that is none of both. */
  readonly document?: DocumentForm<R>;
  /** Brings a record that an earlier version stored to today's shape. */
  readonly complete?: (record: R) => R;
  /** A store has some that are not there for anybody: repos that are imported, or removed. */
  readonly hidden?: true;
  /** It goes with its repo, and is not written once that was removed. */
  readonly ofRepo?: true;
  /** MongoDB's. */
  readonly indexes: readonly IndexRow[];
  /** How it is copied to another store, and what people read of it there; undefined: it is not. */
  readonly copied?: ArchiveKind;
  /** If there are several, for people: one who fills a store reads what it holds already. */
  readonly words?: string;
}

/** A form of the document: the fields that hold the record, and the way there and back. */
export interface DocumentForm<R> {
  readonly fields: readonly string[];
  write(record: R): object;
  read(document: never): R;
}

/** An index of MongoDB, with the query that it serves. */
export type IndexRow = readonly [
  name: string,
  keys: Readonly<Record<string, 1 | -1>>,
  serves: string,
  options?: { readonly unique?: true; readonly where?: string },
];

export type Field<R> = keyof R & string;
export type Scalar = string | number;

export type Condition =
  | Scalar
  | {
      readonly above?: Scalar;
      readonly atLeast?: Scalar;
      readonly below?: Scalar;
      readonly atMost?: Scalar;
      readonly not?: Scalar;
      readonly in?: readonly Scalar[];
    };

/** All of them hold; a field without a condition, or with an undefined one, may be anything. */
export type Where<R> = { readonly [F in Field<R>]?: Condition | undefined };

export interface Query<R> {
  readonly where?: Where<R>;
  /** By the key, where it says nothing else. */
  readonly by?: readonly Field<R>[];
  readonly newestFirst?: boolean;
  /** Values of the fields of `by`: only what comes after them. */
  readonly after?: readonly Scalar[];
  readonly skip?: number;
  readonly limit?: number;
}

/**
 * Work of a unit, which either store does in its own time: in SQLite it never yields, so that a transaction is one
 * piece; in MongoDB it yields what it waits for.
 */
export type Work<T> = Generator<Promise<unknown>, T, unknown>;

export interface Table<R, Derived = unknown> {
  one(where: Where<R & Derived>): Work<R | undefined>;
  list(query?: Query<R & Derived>): Work<readonly R[]>;
  count(): Work<number>;
  /** False: its key, or a field that is unique, is there already. */
  insert(record: R): Work<boolean>;
  /** Replaces what has its key. False: its repo was removed. */
  put(record: R): Work<boolean>;
  /**
   * Changes what has this key to what `to` makes of it, and of nothing else that came in between; undefined leaves it.
   * What is not there yet is made. Answers what was written; undefined too where a unique field is another's.
   */
  change(key: readonly Scalar[], to: (record: R | undefined) => R | undefined): Work<R | undefined>;
  /** Sets these fields, of which nothing is derived, of all that match. Answers how many there were. */
  set(where: Where<R & Derived>, fields: { readonly [F in keyof R]?: R[F] | undefined }): Work<number>;
  /** Answers how many there were. */
  remove(where: Where<R & Derived>): Work<number>;
}

export type CounterName =
  | 'repo'
  | 'repo-token'
  | 'personal-token'
  | 'build'
  | 'job'
  | 'delivery'
  | 'check'
  | 'account'
  | 'share-link'
  | 'audit';

/** What a store offers to those that are the same in both. */
export interface Units {
  table<R, Derived>(declared: Declaration<R, string, Derived>): Table<R, Derived>;
  nextId(counter: CounterName): Work<number>;
  /** An entry of what changes nothing that is stored. */
  note(entry: AuditEntry): Work<void>;
  /** A change and its entry; one that answers undefined or false was none. */
  audited<T>(audit: AuditEntry | undefined, change: () => Work<T>): Work<T>;
  read<T>(work: () => Work<T>): Promise<T>;
  /** One whole unit: in SQLite a transaction. In MongoDB each step is atomic, and the order says what comes first. */
  write<T>(work: () => Work<T>): Promise<T>;
}
