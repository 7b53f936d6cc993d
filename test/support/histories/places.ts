/** What an upload says of where it was built. */
export type Place = Readonly<Record<string, unknown>>;

/** A pull request as the git host has it. */
export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  readonly baseBranch: string;
  /** Where the base branch stood when the temporary merge commit was made. */
  readonly base: string;
  /** The temporary merge commit. */
  readonly merge: string;
}

/** A build of a push. */
export function onBranch(commit: string, branch = 'main'): Place {
  return { commit_sha: commit, git: { branch } };
}

/** A pull request's build that checked out its head. */
export function atHead({ number, head, branch }: Pull): Place {
  return { commit_sha: head, service_pull_request: String(number), git: { branch } };
}

/**
 * A pull request's build that tested its merge commit, as our action reports it: the tested commit apart from the head.
 */
export function atMerge(pull: Pull): Place {
  const { merge, base, baseBranch } = pull;
  return { ...atHead(pull), service_tested_sha: merge, service_base_sha: base, service_base_branch: baseBranch };
}

/** The same as other clients report it: nothing but the merge commit. */
export function asMerge({ number, merge }: Pull): Place {
  return { commit_sha: merge, service_pull_request: String(number), git: { branch: `refs/pull/${number}/merge` } };
}
