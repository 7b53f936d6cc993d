import type { PastCommit, PastTotals } from '@coverage/shared/history';
import { FileHits } from '../../formats/file-hits.ts';
import { commitOf, countOf, type Json, listOf, objectOf, percentOf, subjectOf, textOf, timeOf } from './answers.ts';
import type { Asked, PastReport, PastSource } from './past.ts';
import type { Requests } from './requests.ts';

const USUAL_BRANCHES: ReadonlySet<string> = new Set(['main', 'master']);
const MAX_LINES = 1_000_000;

/** The files of a commit, of which some are measured; undefined: git does not know the commit. */
export type FilesOfCommit = (commit: string) => Promise<readonly string[] | undefined>;

/**
 * Coveralls' JSON of builds, ten on a page: a percentage each, and counts if it sends them. The lines of a commit take
 * a request for each file, so the names of its files must come from git.
 */
export function readCoveralls(
  requests: Requests,
  repo: string,
  asked: Asked,
  filesOfCommit: FilesOfCommit,
): PastSource {
  const notes: string[] = [];
  return {
    address: repo,
    list: () => buildsOf(requests, repo, asked),
    flags: async () => [],
    async reports({ commit }) {
      const names = await filesOfCommit(commit);
      if (names === undefined) {
        notes.push(commitNotHere(commit));
        return [];
      }
      const files: FileHits[] = [];
      for (const name of names) {
        const lines = await requests.get(`/builds/${commit}/source.json?filename=${encodeURIComponent(name)}`);
        const file = Array.isArray(lines) ? fileOf(name, lines) : undefined;
        if (file !== undefined) files.push(file);
      }
      return files.length === 0 ? [] : [{ files } satisfies PastReport];
    },
    notes: () => notes,
  };
}

async function* buildsOf(requests: Requests, repo: string, { branches, since }: Asked): AsyncGenerator<PastCommit> {
  let wanted = branches.length > 0 ? new Set(branches) : undefined;
  const seen = new Set<string>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = objectOf(await requests.get(`/${repo}.json?page=${page}`), 'The list of builds at Coveralls');
    pages = countOf(answer.pages) ?? page;
    const builds = listOf(answer.builds, 'The list of builds at Coveralls').map((item) => objectOf(item, 'A build'));
    for (const build of builds) {
      const branch = textOf(build.branch);
      if (branch === undefined) continue;
      if (wanted === undefined && USUAL_BRANCHES.has(branch)) wanted = new Set([branch]);
      const found = wanted?.has(branch) ? readBuild(build, branch) : undefined;
      if (found === undefined || seen.has(found.commit)) continue;
      if (since !== undefined && found.at < since) return;
      // The newest build of a commit stands for it.
      seen.add(found.commit);
      yield found;
    }
  }
}

function readBuild(build: Json, branch: string): PastCommit | undefined {
  const [commit, at] = [commitOf(build.commit_sha), timeOf(build.created_at)];
  const shown = percentOf(build.covered_percent);
  const totals = totalsOf(build);
  if (commit === undefined || at === undefined || (shown === undefined && totals === undefined)) return undefined;
  const author = textOf(build.committer_name);
  return { commit, branch, at, message: subjectOf(build.commit_message), author, shown, totals };
}

/** Not every server sends counts, and they cannot be computed from a percentage. */
function totalsOf(build: Json): PastTotals | undefined {
  const [coveredLines, relevantLines] = [countOf(build.covered_lines), countOf(build.relevant_lines)];
  if (coveredLines === undefined || relevantLines === undefined || coveredLines > relevantLines) return undefined;
  const [coveredBranches = 0, branches = 0] = [countOf(build.covered_branches), countOf(build.relevant_branches)];
  if (coveredBranches > branches) return undefined;
  return { coveredLines, relevantLines, coveredBranches, branches };
}

/** The first entry is line 1; null: not relevant. */
function fileOf(name: string, lines: readonly unknown[]): FileHits | undefined {
  const file = new FileHits(name);
  for (const [index, hits] of lines.slice(0, MAX_LINES).entries()) {
    const count = countOf(hits);
    if (count !== undefined) file.addLine(index + 1, count);
  }
  return file.lastLine > 0 ? file : undefined;
}

function commitNotHere(commit: string): string {
  return (
    `The lines of ${commit.slice(0, 7)} are left out: Coveralls returns them file by file, and this folder is not ` +
    'a checkout that has the commit. Run the command in a clone of the repo.'
  );
}
