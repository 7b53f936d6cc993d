import type { Provider } from '../../ports/provider.ts';
import { countOf, isCommitSha, isFilePath } from '../answers.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { type Bitbucket, inRepo } from './questions.ts';

/** Files at Bitbucket: what is there first, and its size; then the bytes. */
export function createFiles(bitbucket: Bitbucket): Pick<Provider, 'readFile'> {
  return {
    readFile: async ({ repo, commit, path: file, maxBytes }) => {
      if (!isCommitSha(commit) || !isFilePath(file)) return undefined;
      return definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) => {
          const place = `${path}/src/${commit}/${file.split('/').map(encodeURIComponent).join('/')}`;
          const meta = await askFor(ask, OPERATIONS.readFile, {
            path: place,
            query: { format: 'meta' },
            read: ({ type, size }) => (type === undefined ? undefined : { type, size: countOf(size) }),
          });
          // A folder has no size.
          if (meta.type !== 'commit_file' || meta.size === undefined) return undefined;
          if (meta.size > maxBytes) return { kind: 'too-large', size: meta.size };
          const { bytes } = await ask(OPERATIONS.readFile, { path: place, accept: '*/*' });
          return { kind: 'file', bytes };
        }),
      );
    },
  };
}
