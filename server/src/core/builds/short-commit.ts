/** Whether a text may be the beginning of a commit's name: 7 digits or more, and not all of them (rule 18). */
export function isShortCommit(text: string): boolean {
  return /^[0-9a-f]{7,39}$/.test(text);
}

/** By what a build that was looked for by a shortened commit is found when it arrives (rule 20). */
export function shortCommitKey(commit: string): string {
  return `short:${commit.slice(0, 7)}`;
}

/** Whether a text names a commit whole, as statuses need it: a SHA-1, or a SHA-256. */
export function isWholeCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** All that a base of these commits, on this branch or tag, may have been looked for by (Build.missingBases). */
export function missingBasesMet(base: {
  readonly commits: readonly string[];
  readonly branch: string | undefined;
  readonly tag: string | undefined;
}): readonly string[] {
  const places = [
    base.branch === undefined ? [] : [`branch:${base.branch}`],
    base.tag === undefined ? [] : [`tag:${base.tag}`],
  ];
  const found = base.commits.flatMap((commit) => [`commit:${commit}`, shortCommitKey(commit)]);
  return [...new Set(found), ...places.flat()];
}
