import type { ErasedPerson } from '../core/builds/erased-person.ts';

/** Where to continue: an id, as the store has it. */
export type PersonMark = number | string;

export interface PersonPart {
  readonly person: ErasedPerson;
  /** Undefined: from the first. */
  readonly after: PersonMark | undefined;
  /** How many rows are looked at. */
  readonly limit: number;
}

/** Finds and takes out what builds and jobs tell of a person, part by part: everything that is stored is looked at. */
export interface PersonStore {
  /** Ids of builds of a part that name them. `next`: undefined after the last part. */
  builds(part: PersonPart): Promise<{ readonly ids: readonly number[]; readonly next: PersonMark | undefined }>;
  /** Takes them out of the commits of jobs. `jobs`: how many named them. */
  eraseFromJobs(part: PersonPart): Promise<{ readonly jobs: number; readonly next: PersonMark | undefined }>;
}
