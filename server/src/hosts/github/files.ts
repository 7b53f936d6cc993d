import type { Provider } from '../../ports/provider.ts';
import type { FileContent } from '../../ports/provider-facts.ts';
import { countOf, type Fields, isCommitSha, isFilePath, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { definiteAnswer, request } from './requests.ts';

type FileCall = Parameters<Provider['readFile']>[0];

/** Files of a repo at a commit: one request, and one more for a file of more than 1 MB. */
export function createFiles(callsOf: CallsOf): Pick<Provider, 'readFile'> {
  return {
    readFile: async (asked) => {
      // Without asking: what would lead to another path than the file's.
      if (!isCommitSha(asked.commit) || !isFilePath(asked.path)) return undefined;
      return definiteAnswer(callsOf(asked.repo)((call) => readFile(call, asked)));
    },
  };
}

async function readFile(call: GithubCall, asked: FileCall): Promise<FileContent | undefined> {
  const { repo, commit: ref, path, maxBytes } = asked;
  const place = splitRepoName(repo);
  const found = await request(call, OPERATIONS.readFile, {
    send: (rest, options) => rest.repos.getContent({ ...place, path, ref, request: options }),
    read: readContents,
  });
  if (found === 'no-file') return undefined;
  if (found.size > maxBytes) return { kind: 'too-large', size: found.size };
  if (found.bytes !== undefined) return { kind: 'file', bytes: found.bytes };
  const bytes = await request(call, OPERATIONS.readFile, {
    send: (rest, options) => rest.git.getBlob({ ...place, file_sha: found.sha, request: options }),
    read: bytesOf,
  });
  return { kind: 'file', bytes };
}

interface Contents {
  readonly size: number;
  readonly sha: string;
  /** Left out for a file of more than 1 MB. */
  readonly bytes: Uint8Array | undefined;
}

/** A folder is answered as a list, which has no fields; a submodule and a link that leads nowhere are no files. */
function readContents(answer: Fields): Contents | 'no-file' | undefined {
  if (answer.type !== 'file') return 'no-file';
  const [size, sha] = [countOf(answer.size), textOf(answer.sha)];
  return size === undefined || sha === undefined ? undefined : { size, sha, bytes: bytesOf(answer) };
}

function bytesOf({ encoding, content }: Fields): Uint8Array | undefined {
  return encoding === 'base64' && typeof content === 'string' ? Buffer.from(content, 'base64') : undefined;
}
