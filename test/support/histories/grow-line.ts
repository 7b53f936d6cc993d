import type { GitRepo } from '../git-repo.ts';

/**
 * Adds so many commits without changes to the branch where one is, quickly, all of the same time; answers them, oldest
 * first.
 */
export function growLine(git: GitRepo, count: number): readonly string[] {
  const first = git.commit('line 0');
  const tree = git.git('rev-parse', 'HEAD^{tree}');
  const line = [first];
  for (let step = 1; step < count; step += 1) {
    line.push(git.git('commit-tree', tree, '-p', line[step - 1] ?? first, '-m', `line ${step}`));
  }
  git.git('reset', '-q', '--hard', line.at(-1) ?? first);
  return line;
}
