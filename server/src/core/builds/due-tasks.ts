import type { Timestamp } from '../time.ts';

/** What closed a build. A late job's close keeps the reason of the close before (rule 12). */
export type ClosedBy = 'job' | 'webhook' | 'deadline' | 'provider';

/** What is to be done with a build, and from when on: stored with it, in the write that makes it due (rule 11). */
export type DueTask =
  /** A close that was asked for. */
  | { readonly kind: 'close'; readonly at: Timestamp; readonly by: ClosedBy }
  /** The close of an open build for which no request comes (rules 12 and 13). */
  | { readonly kind: 'deadline'; readonly at: Timestamp }
  /** Another evaluation of a closed build: facts were unavailable, or its base changed (rule 20). */
  | { readonly kind: 'revisit'; readonly at: Timestamp }
  /** Posting the pending statuses (rule 23). */
  | { readonly kind: 'post-pending'; readonly at: Timestamp }
  /** Another evaluation of the builds that have it as their base, or looked for it (rule 20). */
  | { readonly kind: 'backfill'; readonly at: Timestamp }
  | LandingTask;

/** A pull request was merged, and its provider has still to say which of its builds measured what landed. */
export interface LandingTask {
  readonly kind: 'landing';
  readonly branch: string;
  /** The commit that landed on it. */
  readonly commit: string;
  readonly since: Timestamp;
  /** When it is asked again. */
  readonly at: Timestamp;
}

/** Closes of one build that were begun since one was written last. */
export interface CloseAttempts {
  readonly count: number;
  /** When the last one began, or failed. */
  readonly at: Timestamp;
  /** Why the last one that failed did, a sentence; absent if the server ended before it could say. */
  readonly reason?: string | undefined;
  /** It is not tried again before somebody asks for a rerun. */
  readonly setAside?: true | undefined;
}

type Kind = DueTask['kind'];
type Task<K extends Kind> = Extract<DueTask, { kind: K }>;

/** What is done first where several tasks are due: a close makes pending statuses needless. */
const ORDER = ['close', 'deadline', 'revisit', 'post-pending', 'backfill', 'landing'] as const satisfies Kind[];

export function findTask<K extends Kind>(due: readonly DueTask[], kind: K): Task<K> | undefined {
  return due.find((task): task is Task<K> => task.kind === kind);
}

/** With this task, in place of another of its kind. */
export function withTask(due: readonly DueTask[], task: DueTask | undefined): readonly DueTask[] {
  if (task === undefined) return due;
  return [...withoutTasks(due, task.kind), task].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

export function withoutTasks(due: readonly DueTask[], ...kinds: readonly Kind[]): readonly DueTask[] {
  return due.filter(({ kind }) => !kinds.includes(kind));
}

/** The task to do now; undefined: none is due yet. */
export function nextTask(due: readonly DueTask[], now: Timestamp): DueTask | undefined {
  return due.find(({ at }) => at <= now);
}

/** When the first task is due; undefined: none is, or the build is set aside. */
export function dueAt({
  due,
  attempts,
}: {
  readonly due: readonly DueTask[];
  readonly attempts?: CloseAttempts | undefined;
}): Timestamp | undefined {
  return due.length === 0 || attempts?.setAside ? undefined : Math.min(...due.map(({ at }) => at));
}
