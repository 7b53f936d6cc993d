import { createGitRepo, type GitRepo } from '../../support/git-repo.ts';

/** A real repo, and what git says of its commits. */
export interface RealHistory {
  readonly directory: string;
  readonly mergeBases: readonly {
    readonly base: string;
    readonly head: string;
    readonly best: readonly string[];
    readonly ahead: number | undefined;
    readonly behind: number | undefined;
  }[];
  readonly firstParents: readonly { readonly head: string; readonly commits: readonly string[] }[];
}

let made: RealHistory | undefined;

/** One for all hosts: it takes a hundred processes. It goes with this process. */
export function realHistory(): RealHistory {
  made ??= askGit();
  return made;
}

function askGit(): RealHistory {
  const git = createGitRepo();
  process.once('exit', () => git.remove());
  const heads = makeHistory(git);
  // The last two criss-cross each other.
  const pairs = heads.slice(-2).flatMap((base) => heads.map((head) => ({ base, head })));
  return {
    directory: git.directory,
    mergeBases: pairs.map(({ base, head }) => {
      const counted = git.git('rev-list', '--left-right', '--count', `${base}...${head}`);
      const [behind, ahead] = counted.split('\t').map(Number);
      return { base, head, best: git.git('merge-base', '--all', base, head).split('\n'), ahead, behind };
    }),
    firstParents: heads.map((head) => ({
      head,
      commits: git.git('rev-list', '--first-parent', head).split('\n').slice(1),
    })),
  };
}

/** Merge, squash, rebase, force-push and criss-cross in one repo; answers every commit that is a head of something. */
function makeHistory(git: GitRepo): readonly string[] {
  const root = git.commit('root', { 'a.js': 'a\n', 'b.js': 'b\n' });
  git.switchTo('one');
  git.commit('one 1', { 'one.js': '1\n' });
  const one = git.commit('one 2', { 'one.js': '2\n' });
  git.switchTo('main');
  const main = git.commit('main 1', { 'a.js': 'aa\n' });
  const merged = git.merge('one');
  git.switchTo('two', main);
  const two = git.commit('two 1', { 'two.js': '1\n' });
  git.switchTo('main');
  const squashed = git.squash('two');
  git.switchTo('three', root);
  const before = git.commit('three 1', { 'three.js': '1\n' });
  const rebased = git.rebase('main');
  git.switchTo('left', main);
  const left = git.commit('left', { 'left.js': '1\n' });
  git.switchTo('right', main);
  const right = git.commit('right', { 'right.js': '1\n' });
  const rightLeft = git.merge(left);
  git.switchTo('left');
  const leftRight = git.merge(right);
  return [root, one, main, merged, two, squashed, before, rebased, left, right, rightLeft, leftRight];
}
