import type { LineRange } from '../coverage/line-ranges.ts';

/** Where announcements point to. All addresses are absolute. */
export interface Links {
  /** The page of a build (rule 24), with the lines of one of its checks, by its id. */
  build(buildId: number, check?: string): string;
  /** Our page of a file, in the build that a commit's sha means; `lines`: opened there. */
  file(place: FilePlace): string;
  /** BASE_URL, part of the comment's marker (rule 25). */
  readonly base: string;
}

/** Commit and file are as they were uploaded: hostile text. */
export interface FilePlace {
  readonly commit: string;
  readonly file: string;
  readonly lines?: LineRange | undefined;
}

/** Lines on one page of a file: links to later ones say on which page they are. */
export const LINES_ON_PAGE = 1_000;
