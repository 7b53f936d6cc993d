import { isMap } from 'yaml';
import * as say from '../../messages/command/migrate.ts';
import type { FileMigration, Note } from './file-migration.ts';
import { applyEdits, type Edit, lineAt, pairOf, readYaml, removePair, replaceNode, startOf } from './text-edits.ts';

/** A `.coveralls.yml`: the address goes in, the token goes out, since it is of the other service. */
export function migrateCoverallsFile(path: string, text: string, server: string): FileMigration | undefined {
  const root = readYaml(text)?.root;
  if (!isMap(root)) return undefined;
  const edits: Edit[] = [];
  const notes: Note[] = [];
  const endpoint = pairOf(root, 'endpoint');
  if (endpoint?.value) edits.push(replaceNode(endpoint.value, server));
  else edits.push({ start: 0, end: 0, text: `endpoint: ${server}\n` });
  notes.push({ sentence: say.endpointSet(server) });
  for (const key of ['repo_token', 'repo_secret_token']) {
    const token = pairOf(root, key);
    if (token === undefined) continue;
    edits.push(removePair(text, token));
    notes.push({ line: lineAt(text, startOf(token.key)), sentence: say.tokenRemoved(key) });
  }
  return { path, text, changed: applyEdits(text, edits), notes };
}
