import type { Provider } from '../../ports/provider.ts';
import type { FileContent } from '../../ports/provider-facts.ts';
import { countOf, type Fields, isCommitSha, isFilePath, textOf } from '../answers.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { type Gitea, inRepo } from './questions.ts';

/** Files at Gitea: their content comes with their size, except for large ones. */
export function createFiles(gitea: Gitea): Pick<Provider, 'readFile'> {
  const { readFile } = gitea.operations;
  return {
    readFile: async ({ repo, commit, path: file, maxBytes }) => {
      if (!isCommitSha(commit) || !isFilePath(file)) return undefined;
      const encoded = file.split('/').map(encodeURIComponent).join('/');
      const query = { ref: commit };
      return definiteAnswer(
        inRepo(gitea, repo, async (ask, path) => {
          const described = (await ask(readFile, { path: `${path}/contents/${encoded}`, query })).json();
          // A folder is a list.
          if (Array.isArray(described)) return undefined;
          const fields = described as Fields;
          if (fields?.type !== 'file') return undefined;
          const size = countOf(fields.size);
          if (size === undefined) throw unexpectedAnswer(readFile);
          if (size > maxBytes) return { kind: 'too-large', size };
          return (
            contentOf(fields, size) ?? {
              kind: 'file',
              bytes: (await ask(readFile, { path: `${path}/raw/${encoded}`, query })).bytes,
            }
          );
        }),
      );
    },
  };
}

/** Undefined: it was left out, since it is large. */
function contentOf({ content, encoding }: Fields, size: number): FileContent | undefined {
  if (encoding !== 'base64') return undefined;
  const bytes = Buffer.from(textOf(content) ?? '', 'base64');
  return bytes.length === size ? { kind: 'file', bytes } : undefined;
}
