import type { RefusedUpload } from '../core/builds/refused-upload.ts';
import type { Timestamp } from '../core/time.ts';

/** Refused uploads of each repo: the newest MAX_REFUSED, for KEPT_REFUSED. They are not copied to another store. */
export interface RefusalStore {
  /**
   * Notes one; of the same key the count rises, and what is newer stays. Nothing is written for a removed repo. Makes
   * room by what is old.
   */
  note(refused: RefusedUpload): Promise<void>;
  /** Newest first. */
  list(repoId: number, since: Timestamp): Promise<readonly RefusedUpload[]>;
}
