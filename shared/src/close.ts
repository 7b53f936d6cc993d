/** The body of `POST /webhook`. `repo_token` and `carryforward` may be given in the query instead. */
export interface ClosePayload {
  repo_token?: string;
  repo_name?: string;
  /** Comma-separated flags, or `all`. */
  carryforward?: string;
  payload: {
    build_num?: string;
    status: 'done';
  };
}
