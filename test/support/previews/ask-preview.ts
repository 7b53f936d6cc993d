import type { JobDiff, PreviewJson, PreviewQuestion } from '@coverage/shared';
import { toDiff } from '../../../server/src/closing/compare-commits.ts';
import type { ChangedFile } from '../../../server/src/ports/provider-facts.ts';
import type { CoverageApi, Reply } from '../coverage-api.ts';
import type { CommitRecord, DiffSource } from '../github-stand-in/model.ts';
import type { CommitGraph } from '../histories/commit-graph.ts';

/** A preview's body, as the command sends it. */
export function previewBody(question: object, jobs: readonly object[]): string {
  return [question, ...jobs].map((line) => JSON.stringify(line)).join('\n');
}

export function askPreview(
  api: CoverageApi,
  sent: { readonly body: BodyInit; readonly token?: string; readonly query?: string; readonly headers?: object },
): Promise<Reply<PreviewJson>> {
  const { body, token, query = '', headers = {} } = sent;
  return api.send<PreviewJson>(`/api/v1/preview${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-ndjson',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  });
}

/** A clone as the command sees it. */
export interface Clone {
  firstParents(commit: string): readonly string[];
  isAncestor(one: string, of: string): boolean;
  diff(base: string, head: string): JobDiff;
}

/** Reads a graph as git would read a clone of it. */
export function cloneOf(git: CommitGraph): Clone {
  const parents = new Map<string, readonly string[]>();
  let source: DiffSource | undefined;
  git.pushTo(
    {
      addCommit: (_, commit) => {
        parents.set(commit.sha, commit.parents ?? []);
        return commit as CommitRecord;
      },
      setBranches: () => {},
      setDiffs: (_, diffs) => {
        source = diffs;
      },
    },
    '',
  );
  const firstParents = (commit: string): readonly string[] => {
    const parent = parents.get(commit)?.[0];
    return parent === undefined ? [] : [parent, ...firstParents(parent)];
  };
  return {
    firstParents,
    isAncestor: (one, of) => git.mergeBases(one, of).includes(one),
    diff(base, head) {
      const listed = source?.(base, head) ?? [];
      const files = listed.map(
        ({ filename: name, previousFilename: previousName, status, patch }): ChangedFile => ({
          name,
          previousName,
          status: status === 'changed' ? 'modified' : status,
          patch,
        }),
      );
      const { files: changed } = toDiff({ files, complete: true });
      return {
        base_sha: base,
        head_sha: head,
        complete: true,
        files: changed.map((file) => ({
          name: file.name,
          ...(file.previousName === undefined ? {} : { previous_name: file.previousName }),
          kind: file.kind,
          hunks: file.complete
            ? file.hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines])
            : null,
        })),
      };
    },
  };
}

/** Asks as the command does: again with the diffs that the answer named, until it names none that a clone has. */
export async function askAsCommand(
  ask: (question: PreviewQuestion) => Promise<Reply<PreviewJson>>,
  clone: Clone,
  question: PreviewQuestion & { readonly merge_base_sha: string },
): Promise<Reply<PreviewJson>> {
  const { head_sha, merge_base_sha } = question;
  const ancestors = [...clone.firstParents(merge_base_sha)].slice(0, 100);
  const diffs = [clone.diff(merge_base_sha, head_sha)];
  for (;;) {
    const answer = await ask({ ...question, ancestors, diffs });
    const more = (answer.json.wanted_diffs ?? [])
      .filter(({ base_sha, head_sha: end }) => clone.isAncestor(base_sha, end))
      .map(({ base_sha, head_sha: end }) => clone.diff(base_sha, end));
    if (more.length === 0) return answer;
    diffs.push(...more);
  }
}
