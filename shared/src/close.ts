/** The body of `POST /webhook`. `repo_token` and `carryforward` may be given in the query instead. */
export interface ClosePayload {
  repo_token?: string;
  repo_name?: string;
  /** Flags, or a list of them with commas, or `all`. */
  carryforward?: string | readonly string[];
  payload: {
    build_num?: string;
    status: 'done';
  };
}

/** The answer to a close. */
export interface CloseAnswer {
  done: true;
  /** The build's page. */
  url: string;
  /** How many jobs the build has. */
  jobs: number;
}
