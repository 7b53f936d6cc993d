import { readFileSync } from 'node:fs';
import { ActionFailure } from '../../runner/failure.ts';
import { commitOf, isObject, subjectOf, textOf } from './answers.ts';
import { parseKept, unpack } from './kept-reports.ts';
import type { Asked, PastSource } from './past.ts';
import type { PastGit } from './past-git.ts';
import { type KeptCommits, readKeptCommits } from './report-folder.ts';

/**
 * gocov has no API for builds, so its database is queried (docs/migrating.md): a line of JSON for each
 * upload, with its commit, its part, and the report as it was sent, in base64.
 */
export function readGocov(file: string, git: PastGit, asked: Asked): PastSource {
  const commits = new Map<string, Map<string, string[]>>();
  const uploads = new Map<string, { readonly name: string; readonly data: string }>();
  for (const [index, line] of linesOf(file).entries()) {
    if (line.trim() === '') continue;
    const upload = parse(line);
    const [commit, data] = [commitOf(upload?.commit), textOf(upload?.data)];
    if (upload === undefined || commit === undefined || data === undefined)
      throw new ActionFailure('bad-input', oddLine(file, index + 1));
    const key = String(index);
    uploads.set(key, { name: `${commit}.${textOf(upload.format) ?? 'report'}`, data });
    const flag = subjectOf(upload.part) ?? '';
    const ofCommit = commits.get(commit) ?? new Map<string, string[]>();
    commits.set(commit, ofCommit.set(flag, [...(ofCommit.get(flag) ?? []), key]));
  }
  const kept: KeptCommits = {
    address: file,
    commits,
    read(key) {
      const { name, data } = uploads.get(key) as { readonly name: string; readonly data: string };
      return parseKept({ path: name, bytes: unpack(Buffer.from(data, 'base64'), name) });
    },
  };
  return readKeptCommits(kept, git, asked);
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (cause) {
    throw new ActionFailure('bad-input', `There is no file ${file}: check --in.`, { cause });
  }
}

function parse(line: string) {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function oddLine(file: string, line: number): string {
  return `${file}:${line} is not an upload: each line needs "commit" and "data". Write it with the documented query.`;
}
