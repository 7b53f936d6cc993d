import type { Provider } from '../../ports/provider.ts';
import { isCommitSha, isFilePath } from '../answers.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { type Gitlab, inProject } from './questions.ts';

/** Files at GitLab: their size first, then their bytes. */
export function createFiles(gitlab: Gitlab): Pick<Provider, 'readFile'> {
  return {
    readFile: async ({ repo, commit, path: file, maxBytes }) => {
      if (!isCommitSha(commit) || !isFilePath(file)) return undefined;
      return definiteAnswer(
        inProject(gitlab, repo, async (ask, path) => {
          const place = `${path}/repository/files/${encodeURIComponent(file)}`;
          const query = { ref: commit };
          const head = await ask(OPERATIONS.readFile, { method: 'HEAD', path: place, query });
          const size = Number(head.headers.get('x-gitlab-size') ?? Number.NaN);
          if (!Number.isSafeInteger(size)) throw unexpectedAnswer(OPERATIONS.readFile);
          if (size > maxBytes) return { kind: 'too-large', size };
          const { bytes } = await ask(OPERATIONS.readFile, { path: `${place}/raw`, query });
          return { kind: 'file', bytes };
        }),
      );
    },
  };
}
