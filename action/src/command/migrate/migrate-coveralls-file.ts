import { isMap } from 'yaml';
import type { FileMigration, Note } from './file-migration.ts';
import { applyEdits, type Edit, lineAt, pairOf, readYaml, removePair, startOf } from './text-edits.ts';

/** A `.coveralls.yml`: the token goes, since it is of the other service, and the address is the CI's to say. */
export function migrateCoverallsFile(path: string, text: string, server: string): FileMigration | undefined {
  const root = readYaml(text)?.root;
  if (!isMap(root)) return undefined;
  const edits: Edit[] = [];
  const notes: Note[] = [{ sentence: endpointOfCi(server) }];
  const remove = (key: string, sentence: string): void => {
    const pair = pairOf(root, key);
    if (pair === undefined) return;
    edits.push(removePair(text, pair));
    notes.push({ line: lineAt(text, startOf(pair.key)), sentence });
  };
  remove('endpoint', 'endpoint goes: no token of the CI is sent to an address in this file.');
  for (const key of ['repo_token', 'repo_secret_token'])
    remove(key, `${key} goes: it is the token of the other service. Give the new one to CI as COVERALLS_REPO_TOKEN.`);
  return { path, text, changed: applyEdits(text, edits), notes };
}

/** Said of .coveralls.yml. */
function endpointOfCi(server: string): string {
  return (
    `The CI says the address, since any pull request can change this file: set COVERAGE_ENDPOINT to ${server} where ` +
    'the token is set, and COVERALLS_ENDPOINT for other clients.'
  );
}
