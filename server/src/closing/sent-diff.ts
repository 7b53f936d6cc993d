import type { Build } from '../core/builds/build.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import type { Diff, FileDiff } from '../core/diff/file-diff.ts';
import type { DiffSource } from '../core/diff/sent-diff.ts';
import { type Answer, answerOf, refusalOf } from '../hosts/facts/ask-provider.ts';
import type { Services } from '../services/services.ts';

/** The diff that a build's upload brought, where one did and it can be read. */
export async function readSentDiff(
  services: Pick<Services, 'engine' | 'jobs'>,
  { repoId, diff }: Pick<Build, 'repoId' | 'diff'>,
): Promise<Diff | undefined> {
  const { jobs, engine } = services;
  const stored = diff && (await jobs.source(repoId, diff.digest));
  return stored && engine.readDiff(stored.bytes);
}

/** What two commits differ in, and where that comes from. */
export interface KnownDiff {
  readonly diff: Diff | undefined;
  /** Where the list of files comes from; a file whose lines come from elsewhere says so itself. */
  readonly source: DiffSource;
  /** The provider gave no answer, and the upload's diff is not complete: it may answer later. */
  readonly unavailable: boolean;
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal?: string | undefined;
}

/**
 * The provider's answer, where it knows every file; where it leaves out a file's lines (hosts do so
 * with large ones), these come from the upload's diff of the same commits. Where the provider does not know every
 * file, the upload's diff, if that does. `sent` is asked only where something is open.
 */
export async function chooseDiff(
  answer: Answer<Diff>,
  sent: (() => Promise<Diff | undefined>) | undefined,
): Promise<KnownDiff> {
  const unavailable = answer.kind === 'unavailable';
  const refusal = refusalOf(answer);
  const provided = answerOf(answer);
  const own = sent !== undefined && (provided === undefined || isOpen(provided)) ? await sent() : undefined;
  if (own === undefined) return { diff: provided, source: 'provider', unavailable, refusal };
  if (provided === undefined || (own.complete && !provided.complete))
    return { diff: own, source: 'upload', unavailable: unavailable && !own.complete, refusal };
  return { diff: fillGaps(provided, own), source: 'provider', unavailable, refusal };
}

/** Whether it leaves out files, or lines of one. */
export function isOpen({ files, complete }: Diff): boolean {
  return !complete || files.some(hasGap);
}

/** For a file that is new or removed no hunk is needed: every line changed. */
function hasGap({ kind, complete }: FileDiff): boolean {
  return !complete && (kind === 'modified' || kind === 'renamed');
}

function fillGaps({ files, complete }: Diff, own: Diff): Diff {
  const known = new Map(own.files.filter((file) => file.complete).map((file) => [identityOf(file), file]));
  const fill = (file: FileDiff): FileDiff => {
    const same = hasGap(file) ? known.get(identityOf(file)) : undefined;
    return same === undefined ? file : { ...same, source: 'upload' };
  };
  return { files: files.map(fill), complete };
}

/** Equal for the same change of the same file. */
function identityOf({ name, previousName, kind }: FileDiff): string {
  return JSON.stringify([
    kind,
    normalizeFileName(name),
    previousName === undefined ? null : normalizeFileName(previousName),
  ]);
}
