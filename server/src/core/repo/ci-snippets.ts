/** What a repo's CI file differs by. */
export interface SnippetWay {
  /** BASE_URL. */
  readonly root: string;
  /** The host vouches for runs by id-tokens: no secret is needed. */
  readonly byIdToken: boolean;
}

/** What people paste to have a repo measured. In sentences, code stands between backticks. */
export interface CiSnippets {
  /** What the whole is: `workflow`. */
  readonly called: string;
  /** Where it goes. */
  readonly place: string;
  whole(way: SnippetWay, branch: string): string;
  /** How several jobs make one build. */
  readonly several: string;
  /** Another job of a repo that has one already. */
  job(way: SnippetWay): string;
  /** What that job needs if no secret is set. */
  readonly jobNeeds: string;
  /** How the build is closed then. */
  readonly close: string;
  /** The file that its CI includes from this server, at `/ci/<service>.yml`; left out: it includes none by address. */
  included?(root: string): string;
  /** For the secret that holds the repo's token. */
  readonly secret: string;
  /** How the host lets nothing be merged without the status; left out: it cannot, or it is not known. */
  readonly required?: string;
}
