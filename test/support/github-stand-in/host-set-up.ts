import type {
  ChangedFile,
  CheckRunRecord,
  CommentRecord,
  CommitRecord,
  DiffSource,
  GitMode,
  PullRequestRecord,
  RepoRecord,
  RunRecord,
  StatusRecord,
  World,
} from './model.ts';
import * as setUp from './set-up.ts';

interface PutFile {
  readonly sha: string;
  readonly path: string;
  readonly content: string | Buffer;
  readonly mode?: GitMode;
}

/** What a test puts into a git host, and how it changes as people work. Repos are named `<owner>/<name>`. */
export interface HostSetUp {
  addRepo(repo: string, setUp?: setUp.RepoSetUp): void;
  /** Gives a repo another name (another owner too); the old one leads to it until another repo takes it. */
  renameRepo(repo: string, to: string): void;
  removeRepo(repo: string): void;
  addCommit(repo: string, commit: setUp.CommitSetUp): CommitRecord;
  /** Where branches point from now on; branches that are not named are deleted. */
  setBranches(repo: string, branches: ReadonlyMap<string, string>): void;
  addPullRequest(repo: string, pullRequest: setUp.PullRequestSetUp): PullRequestRecord;
  addRun(repo: string, run: setUp.RunSetUp): RunRecord;
  /** What a file holds at a commit. */
  putFile(repo: string, file: PutFile): void;
  /** From now on nothing is merged into the branch before these statuses pass, as far as the host has names for it. */
  requireStatuses(repo: string, branch: string, names: readonly string[]): void;
  /** The same by a ruleset of GitHub. */
  requireByRuleset(repo: string, branch: string, names: readonly string[]): void;
  /** A comment that a person wrote. */
  addComment(repo: string, comment: Pick<CommentRecord, 'pullRequest' | 'login' | 'body' | 'app'>): CommentRecord;
  /** Deletes a comment as a person does on the page. */
  removeComment(repo: string, id: number): void;
  /** The files that comparing two commits lists. */
  setComparedFiles(repo: string, base: string, head: string, files: readonly ChangedFile[]): void;
  /** Where the files of all other comparisons come from. */
  setDiffs(repo: string, source: DiffSource): void;
}

/** What a git host holds. */
export interface HostContents {
  /** All statuses of a commit, in the order in which they were set. */
  statuses(repo: string, sha: string): readonly StatusRecord[];
  /**
   * The last status of each context of a commit, by the context as it was last written (case does not tell contexts
   * apart).
   */
  lastStatuses(repo: string, sha: string): ReadonlyMap<string, StatusRecord>;
  comments(repo: string, pullRequest: number): readonly CommentRecord[];
  checkRuns(repo: string, sha: string): readonly CheckRunRecord[];
}

export function settersOf(world: World): HostSetUp {
  return {
    addRepo: (repo, setting) => void setUp.addRepo(world, repo, setting),
    renameRepo: (repo, to) => renameRepo(world, repoIn(world, repo), to),
    removeRepo: (repo) => void world.repos.delete(repo.toLowerCase()),
    addCommit: (repo, commit) => setUp.addCommit(world, repoIn(world, repo), commit),
    setBranches: (repo, branches) => {
      const known = repoIn(world, repo).branches;
      known.clear();
      for (const [name, sha] of branches) known.set(name, sha);
    },
    addPullRequest: (repo, pullRequest) => setUp.addPullRequest(world, repoIn(world, repo), pullRequest),
    addRun: (repo, run) => setUp.addRun(world, repoIn(world, repo), run),
    putFile: (repo, { sha, path, content, mode = '100644' }) => {
      const { files, modes } = repoIn(world, repo);
      files.set(`${sha}:${path}`, Buffer.from(content));
      modes.set(`${sha}:${path}`, mode);
    },
    requireStatuses: (repo, branch, names) => void repoIn(world, repo).required.set(branch, names),
    requireByRuleset: (repo, branch, names) => void repoIn(world, repo).ruled.set(branch, names),
    addComment: (repo, comment) => setUp.addComment(world, repoIn(world, repo), comment),
    removeComment: (repo, id) => void repoIn(world, repo).comments.delete(id),
    setComparedFiles: (repo, base, head, files) =>
      void repoIn(world, repo).comparedFiles.set(`${base}...${head}`, files),
    setDiffs: (repo, source) => void world.diffs.set(repoIn(world, repo).id, source),
  };
}

export function contentsOf(world: World): HostContents {
  const statuses = (repo: string, sha: string): StatusRecord[] =>
    repoIn(world, repo).statuses.filter((status) => status.sha === sha);
  return {
    statuses,
    lastStatuses(repo, sha) {
      const last = new Map(statuses(repo, sha).map((status) => [status.context.toLowerCase(), status]));
      return new Map([...last.values()].map((status) => [status.context, status]));
    },
    comments: (repo, number) =>
      [...repoIn(world, repo).comments.values()].filter(({ pullRequest }) => pullRequest === number),
    checkRuns: (repo, wanted) => [...repoIn(world, repo).checkRuns.values()].filter(({ sha }) => sha === wanted),
  };
}

function renameRepo(world: World, repo: RepoRecord, to: string): void {
  const [owner = '', name = ''] = to.split('/');
  const before = `${repo.owner}/${repo.name}`.toLowerCase();
  world.repos.delete(before);
  world.moved.set(before, repo.id);
  world.repos.set(to.toLowerCase(), { ...repo, owner, name });
}

function repoIn(world: World, name: string): RepoRecord {
  const repo = world.repos.get(name.toLowerCase());
  if (!repo) throw new Error(`There is no repo ${name}: addRepo first`);
  return repo;
}
