import type { Timestamp } from '../time.ts';
import type { Build } from './build.ts';
import type { CommitAuthors, JobFacts } from './job.ts';

/** Whose data is taken out of builds and jobs. */
export interface ErasedPerson {
  /** As what they did is signed with: compared exactly. */
  readonly names: readonly string[];
  /** Addresses of their commits, in lower case. */
  readonly emails: readonly string[];
}

/** Stands where the name of somebody was who did something to a build. */
export const ERASED_NAME = '(erased)';

type CommitFacts = Pick<JobFacts, 'authors' | 'message'>;

/** A commit without them: name and address of an author go together, and lines of the message that hold the address. */
export function eraseFromCommit<T extends CommitFacts>(facts: T, { emails }: ErasedPerson): T {
  const authors = eraseFromAuthors(facts.authors, emails);
  const message = eraseFromMessage(facts.message, emails);
  return authors === facts.authors && message === facts.message ? facts : { ...facts, authors, message };
}

function eraseFromAuthors(authors: CommitAuthors, emails: ErasedPerson['emails']): CommitAuthors {
  const isTheirs = (email: string | undefined): boolean => email !== undefined && emails.includes(email.toLowerCase());
  const [byAuthor, byCommitter] = [isTheirs(authors.authorEmail), isTheirs(authors.committerEmail)];
  if (!byAuthor && !byCommitter) return authors;
  return {
    ...authors,
    ...(byAuthor && { authorName: undefined, authorEmail: undefined }),
    ...(byCommitter && { committerName: undefined, committerEmail: undefined }),
  };
}

function eraseFromMessage(message: string | undefined, emails: ErasedPerson['emails']): string | undefined {
  if (message === undefined) return undefined;
  const lines = message.split('\n');
  const kept = lines.filter((line) => !emails.some((email) => line.toLowerCase().includes(email)));
  if (kept.length === lines.length) return message;
  const text = kept.join('\n').trim();
  return text === '' ? undefined : text;
}

/** The build without them; the same object where it does not name them. No number of it changes. */
export function eraseFromBuild(build: Build, person: ErasedPerson): Build {
  const commit = eraseFromCommit(build, person);
  const { acceptance, excludedAsBase, result } = commit;
  const isTheirs = (act: { readonly by: string } | undefined): boolean => person.names.includes(act?.by ?? '');
  if (!isTheirs(acceptance) && !isTheirs(excludedAsBase) && !isTheirs(result?.acceptance)) return commit;
  const sign = <T extends { readonly by: string }>(act: T): T => (isTheirs(act) ? { ...act, by: ERASED_NAME } : act);
  return {
    ...commit,
    ...(acceptance && { acceptance: sign(acceptance) }),
    ...(excludedAsBase && { excludedAsBase: sign(excludedAsBase) }),
    ...(result?.acceptance && { result: { ...result, acceptance: sign(result.acceptance) } }),
  };
}

/** Whether what was announced of a build names them, so that it has to be announced again. */
export function isAnnouncedOf({ acceptance }: Build, { names }: ErasedPerson): boolean {
  return acceptance !== undefined && names.includes(acceptance.by);
}

/** A change of a build: see `reviseBuild`. */
export interface PersonErased {
  readonly kind: 'person-erased';
  readonly person: ErasedPerson;
  readonly at: Timestamp;
}
