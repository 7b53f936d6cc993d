import { inflateSync } from 'node:zlib';
import type { PastCommit } from '@coverage/shared/history';
import { FileHits } from '../../formats/file-hits.ts';
import { ActionFailure } from '../../runner/failure.ts';
import { isObject, type Json, textOf } from './answers.ts';
import { addPartial } from './codecov.ts';
import { filesBelow, namedIn, parseKept, type ReadKept, readPacked } from './kept-reports.ts';
import type { Asked, PastReport, PastSource } from './past.ts';
import type { PastGit } from './past-git.ts';
import { readKeptCommits } from './report-folder.ts';

/** What a server of Codecov's own kind keeps of one commit in its bucket. */
interface StoredCommit {
  readonly raw: string[];
  chunks?: string;
  report?: string;
}

const RAW = /^(?:v4\/)?(?:raw)\/\d{4}-\d\d-\d\d\/([0-9A-F]{32})\/([0-9a-f]{40})\/.+\.txt$/;
const CHUNKS = /^(?:v4\/)?repos\/([0-9A-F]{32})\/commits\/([0-9a-f]{40})\/[^/]+\.txt$/;
const REPORT = /^(?:v4\/)?repos\/([0-9A-F]{32})\/commits\/([0-9a-f]{40})\/json_data\/commits\/report\/[^/]+\.json$/;
const [END_OF_HEADER, END_OF_CHUNK] = ['\n<<<<< end_of_header >>>>>\n', '\n<<<<< end_of_chunk >>>>>\n'];
const MAX_ARMS = 100_000;

/**
 * A copy of the bucket of one's own Codecov: the uploads as they were sent, read by our own formats; where they are no
 * longer there, what Codecov made of them. Dates and order are git's.
 */
export function readCodecovStore(folder: string, git: PastGit, asked: Asked, hash: string | undefined): PastSource {
  const stored = findStored(folder, hash);
  const commits = new Map([...stored.keys()].map((commit) => [commit, new Map([['', [commit]]])]));
  const byGit = readKeptCommits({ address: folder, commits, read: () => undefined }, git, asked);
  const notes: string[] = [];
  return {
    ...byGit,
    async reports(commit) {
      const found = stored.get(commit.commit);
      return found === undefined ? [] : readStored({ folder, git, notes }, commit, found);
    },
    notes: () => notes,
  };
}

function findStored(folder: string, hash: string | undefined): ReadonlyMap<string, StoredCommit> {
  const repos = new Map<string, Map<string, StoredCommit>>();
  for (const path of filesBelow(folder)) {
    const [, repo = '', commit = ''] = RAW.exec(path) ?? CHUNKS.exec(path) ?? REPORT.exec(path) ?? [];
    if (commit === '' || (hash !== undefined && repo !== hash.toUpperCase())) continue;
    const ofRepo = repos.get(repo) ?? new Map<string, StoredCommit>();
    const found = ofRepo.get(commit) ?? { raw: [] };
    if (RAW.test(path)) found.raw.push(path);
    else if (REPORT.test(path)) found.report = path;
    else found.chunks = path;
    repos.set(repo, ofRepo.set(commit, found));
  }
  const [only, ...others] = repos;
  if (only === undefined) throw new ActionFailure('bad-input', noBucket(folder));
  if (others.length > 0) throw new ActionFailure('bad-input', severalRepos([...repos.keys()]));
  return only[1];
}

interface Reading {
  readonly folder: string;
  readonly git: PastGit;
  readonly notes: string[];
}

async function readStored(
  { folder, git, notes }: Reading,
  { commit }: PastCommit,
  { raw, chunks, report }: StoredCommit,
): Promise<readonly PastReport[]> {
  const json = report === undefined ? undefined : parseJson(readPacked(folder, report));
  const sessions = sessionsOf(json);
  const byFlag = new Map<string, ReadKept[]>();
  for (const path of raw) {
    const session = sessions.find(({ upload }) => upload !== undefined && path.endsWith(upload.replace(/^v4\//, '')));
    if (session?.isCarried) continue;
    const read = reportsOfUpload(path, readPacked(folder, path));
    for (const flag of session === undefined || session.flags.length === 0 ? [''] : session.flags)
      byFlag.set(flag, [...(byFlag.get(flag) ?? []), ...read]);
  }
  const reports: PastReport[] = [];
  for (const [flag, read] of byFlag) {
    const { files } = await namedIn(git, commit, read);
    if (files.length > 0) reports.push({ ...(flag !== '' && { flag }), files });
  }
  if (reports.length > 0 || chunks === undefined) return reports;
  if (json === undefined) {
    notes.push(chunksAlone(commit));
    return [];
  }
  return readChunks(Buffer.from(readPacked(folder, chunks)).toString('utf8'), json, sessions);
}

interface Session {
  readonly id: number;
  /** The path of what was sent. */
  readonly upload: string | undefined;
  readonly flags: readonly string[];
  readonly isCarried: boolean;
}

function sessionsOf(json: Json | undefined): readonly Session[] {
  const sessions = json !== undefined && isObject(json.sessions) ? Object.entries(json.sessions) : [];
  return sessions.flatMap(([id, session]) => {
    if (!isObject(session)) return [];
    const flags = Array.isArray(session.f) ? session.f.flatMap((flag) => textOf(flag) ?? []) : [];
    return [{ id: Number(id), upload: textOf(session.a), flags, isCarried: session.st === 'carriedforward' }];
  });
}

/** What was sent comes after a header: JSON of today's uploader, or the text of earlier ones. */
function reportsOfUpload(path: string, bytes: Uint8Array): readonly ReadKept[] {
  const json = bytes[0] === '{'.charCodeAt(0) ? parseJson(bytes) : undefined;
  if (Array.isArray(json?.coverage_files))
    return json.coverage_files.filter(isObject).flatMap(({ filename, data, format }) => {
      const name = textOf(filename) ?? path;
      const plain = Buffer.from(textOf(data) ?? '', 'base64');
      const sent = format === 'base64+compressed' ? inflateSync(plain, { maxOutputLength: 256 << 20 }) : plain;
      return parseKept({ path: name, bytes: sent }) ?? [];
    });
  const text = Buffer.from(bytes).toString('latin1');
  const body = text.slice(text.indexOf('<<<<<< network') < 0 ? 0 : text.indexOf('<<<<<< network') + 14);
  return body.split('<<<<<< EOF').flatMap((part) => {
    const [, name = path, rest = part] = /^\s*# path=([^\n]*)\n([\s\S]*)$/.exec(part) ?? [];
    const report = rest.replace(/^\s+/, '');
    return report === '' ? [] : (parseKept({ path: name.trim(), bytes: Buffer.from(report, 'latin1') }) ?? []);
  });
}

/** Chunks are the files of a report in the order that the report names them by, a line of text for each line. */
function readChunks(text: string, json: Json, sessions: readonly Session[]): readonly PastReport[] {
  const headed = text.indexOf(END_OF_HEADER);
  const chunks = text.slice(headed < 0 ? 0 : headed + END_OF_HEADER.length).split(END_OF_CHUNK);
  const byFlag = new Map<string, FileHits[]>();
  for (const [name, entry] of Object.entries(isObject(json.files) ? json.files : {})) {
    const [index] = Array.isArray(entry) ? entry : [];
    const ofFile = new Map<string, FileHits>();
    const [, ...lines] = (chunks[Number(index)] ?? '').split('\n');
    for (const [at, line] of lines.entries()) {
      for (const { flags, coverage } of measuredIn(line, sessions)) {
        for (const flag of flags) {
          const file = ofFile.get(flag) ?? new FileHits(name);
          addMeasured(ofFile.set(flag, file).get(flag) as FileHits, at + 1, coverage);
        }
      }
    }
    for (const [flag, file] of ofFile) if (file.lastLine > 0) byFlag.set(flag, [...(byFlag.get(flag) ?? []), file]);
  }
  return [...byFlag].map(([flag, files]) => ({ ...(flag !== '' && { flag }), files }));
}

/** What each session measured of a line; without sessions the line's own sum. */
function measuredIn(line: string, sessions: readonly Session[]) {
  if (!line.startsWith('[')) return [];
  const [coverage, , ofSessions] = (parseJson(Buffer.from(line)) ?? []) as unknown as readonly unknown[];
  const own = Array.isArray(ofSessions) ? ofSessions.filter(Array.isArray) : [];
  if (own.length === 0) return [{ flags: [''], coverage }];
  return own.flatMap(([id, measured]: readonly unknown[]) => {
    const session = sessions.find((one) => one.id === id);
    if (session?.isCarried) return [];
    return [{ flags: session === undefined || session.flags.length === 0 ? [''] : session.flags, coverage: measured }];
  });
}

function addMeasured(file: FileHits, line: number, coverage: unknown): void {
  if (coverage === true) addPartial(file, line);
  else if (typeof coverage === 'number' && Number.isSafeInteger(coverage) && coverage >= 0)
    file.addLine(line, coverage);
  if (typeof coverage !== 'string') return;
  const [, taken, all] = (/^(\d{1,6})\/(\d{1,6})$/.exec(coverage) ?? []).map(Number) as [number, number?, number?];
  if (taken === undefined || all === undefined || taken > all || all > MAX_ARMS) return;
  file.addLine(line, taken > 0 ? 1 : 0);
  for (let arm = 0; arm < all; arm += 1) file.addBranch(line, 0, arm, arm < taken ? 1 : 0);
}

function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isObject(json) || Array.isArray(json) ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

function noBucket(folder: string): string {
  return (
    `${folder} is not a copy of a Codecov server's bucket: it has no v4/raw/<date>/<repo>/<commit>/….txt and no ` +
    'v4/repos/<repo>/commits/<commit>/chunks.txt. Copy the bucket there as it is.'
  );
}

function severalRepos(hashes: readonly string[]): string {
  return `The bucket holds several repos: ${hashes.join(', ')}. Choose one with --repo-hash.`;
}

function chunksAlone(commit: string): string {
  return `The lines of ${commit.slice(0, 7)} are left out: no report next to its chunks.txt names the files.`;
}
