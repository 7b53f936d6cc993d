import { isMap } from 'yaml';
import * as say from '../../messages/command/migrate.ts';
import type { FileMigration, Note } from './file-migration.ts';
import { applyEdits, type Edit, lineAt, pairOf, readYaml, removePair, startOf } from './text-edits.ts';

/** A `.coveralls.yml`: the token goes, since it is of the other service, and the address is the CI's to say. */
export function migrateCoverallsFile(path: string, text: string, server: string): FileMigration | undefined {
  const root = readYaml(text)?.root;
  if (!isMap(root)) return undefined;
  const edits: Edit[] = [];
  const notes: Note[] = [{ sentence: say.endpointOfCi(server) }];
  const remove = (key: string, sentence: string): void => {
    const pair = pairOf(root, key);
    if (pair === undefined) return;
    edits.push(removePair(text, pair));
    notes.push({ line: lineAt(text, startOf(pair.key)), sentence });
  };
  remove('endpoint', say.ENDPOINT_REMOVED);
  for (const key of ['repo_token', 'repo_secret_token']) remove(key, say.tokenRemoved(key));
  return { path, text, changed: applyEdits(text, edits), notes };
}
