/** Where announcements point to. All addresses are absolute. */
export interface Links {
  /** The page of a build (rule 24). */
  build(buildId: number): string;
  /**
   * Lines of a file at a commit, at the provider; undefined where it has no web page. The file comes percent-encoded,
   * the commit as it was uploaded.
   */
  lines:
    | ((place: {
        readonly commit: string;
        readonly file: string;
        readonly first: number;
        readonly last: number;
      }) => string)
    | undefined;
  /** BASE_URL, part of the comment's marker (rule 25). */
  readonly base: string;
}
