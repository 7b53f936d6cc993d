import type { PastCommit, PastTotals } from '@coverage/shared/history';
import { FileHits } from '../../formats/file-hits.ts';
import {
  commitOf,
  countOf,
  isObject,
  type Json,
  listOf,
  objectOf,
  percentOf,
  subjectOf,
  textOf,
  timeOf,
} from './answers.ts';
import type { Asked, LeftOutCommit, PastReport, PastSource } from './past.ts';
import type { Requests } from './requests.ts';

/** As `line_coverage` has it. */
const [HIT, MISS, PARTIAL] = [0, 1, 2];
const PAGE = 100;
/** No file is longer; a larger number would take the memory of one. */
const MAX_LINES = 1_000_000;

/** Codecov's API v2: the totals of each commit, and the lines of those that are asked for. */
export function readCodecov(requests: Requests, repo: string, { branches, since }: Asked): PastSource {
  const [service, owner, ...name] = repo.split('/') as [string, string, ...string[]];
  const base = `/api/v2/${service}/${encodeURIComponent(owner)}/repos/${encodeURIComponent(name.join('/'))}`;
  const notes: string[] = [];
  const uploads = new Map<string, Promise<Uploaded>>();
  const uploaded = (commit: string): Promise<Uploaded> => {
    const known = uploads.get(commit) ?? readUploads(requests, `${base}/commits/${commit}/uploads/?page_size=${PAGE}`);
    uploads.set(commit, known);
    return known;
  };
  return {
    address: repo,
    async *list() {
      for (const branch of branches.length > 0 ? branches : [await defaultBranch(requests, base)])
        yield* commitsOf(requests, `${base}/commits/?branch=${encodeURIComponent(branch)}`, { branch, since });
    },
    flags: async ({ commit }) => (await uploaded(commit)).flags,
    async reports({ commit }) {
      const { flags, hasUnflagged } = await uploaded(commit);
      const parts = [...flags, ...(hasUnflagged || flags.length === 0 ? [undefined] : [])];
      const reports: PastReport[] = [];
      for (const flag of parts) {
        const query = flag === undefined ? '' : `&flag=${encodeURIComponent(flag)}`;
        const answer = await requests.get(`${base}/report/?sha=${commit}${query}`);
        const files = isObject(answer) ? filesOf(answer, notes) : [];
        if (files.length > 0) reports.push({ flag, files });
      }
      return reports;
    },
    notes: () => notes,
  };
}

async function defaultBranch(requests: Requests, base: string): Promise<string> {
  return textOf(objectOf(await requests.get(`${base}/`), 'The repo at Codecov').branch) ?? 'main';
}

/** Newest first, as it is answered. */
async function* commitsOf(
  requests: Requests,
  address: string,
  { branch, since }: { readonly branch: string; readonly since: number | undefined },
): AsyncGenerator<PastCommit | LeftOutCommit> {
  for (let page = 1; ; page += 1) {
    const answer = objectOf(await requests.get(`${address}&page_size=${PAGE}&page=${page}`), 'The list of commits');
    for (const item of listOf(answer.results, 'The list of commits')) {
      const found = readCommit(objectOf(item, 'A commit'), branch);
      if (found === undefined) continue;
      if ('at' in found && since !== undefined && found.at < since) return;
      yield found;
    }
    if (answer.next === null || answer.next === undefined) return;
  }
}

function readCommit(item: Json, branch: string): PastCommit | LeftOutCommit | undefined {
  const [commit, at] = [commitOf(item.commitid), timeOf(item.timestamp)];
  if (commit === undefined || at === undefined) return undefined;
  const totals = isObject(item.totals) ? item.totals : undefined;
  const counts = totals && totalsOf(totals);
  const shown = totals && percentOf(totals.coverage);
  const state = textOf(item.state) ?? 'complete';
  if (state !== 'complete') return { commit, why: `it is "${state}" at Codecov` };
  if (counts === undefined && shown === undefined) return { commit, why: 'Codecov has no totals of it' };
  const author = isObject(item.author) ? (textOf(item.author.name) ?? textOf(item.author.username)) : undefined;
  const partialLines = totals && countOf(totals.partials);
  return { commit, branch, at, message: subjectOf(item.message), author, shown, totals: counts, partialLines };
}

/** A line that is partly covered was run: it counts as covered here, as any line with hits does. */
function totalsOf({ lines, hits, partials }: Json): PastTotals | undefined {
  const [relevantLines, full, partly = 0] = [countOf(lines), countOf(hits), countOf(partials)];
  if (relevantLines === undefined || full === undefined || full + partly > relevantLines) return undefined;
  return { coveredLines: full + partly, relevantLines, coveredBranches: 0, branches: 0 };
}

interface Uploaded {
  readonly flags: readonly string[];
  readonly hasUnflagged: boolean;
}

/** What was carried forward was not measured there. */
async function readUploads(requests: Requests, address: string): Promise<Uploaded> {
  const answer = await requests.get(address);
  const uploads = isObject(answer) ? listOf(answer.results, 'The list of uploads') : [];
  const own = uploads.filter(isObject).filter(({ upload_type: type }) => type !== 'carriedforward');
  const flags = own.map((upload) =>
    Array.isArray(upload.flags) ? upload.flags.flatMap((flag) => textOf(flag) ?? []) : [],
  );
  return { flags: [...new Set(flags.flat())].sort(), hasUnflagged: flags.some((some) => some.length === 0) };
}

function filesOf(report: Json, notes: string[]): readonly FileHits[] {
  let odd = 0;
  const files = listOf(report.files, 'The files of a report').flatMap((item) => {
    const { name, line_coverage: lines } = objectOf(item, 'A file of a report');
    const path = textOf(name);
    if (path === undefined) return [];
    const file = new FileHits(path);
    for (const line of listOf(lines, 'The lines of a file')) if (!addLine(file, line)) odd += 1;
    return file.lastLine > 0 ? [file] : [];
  });
  if (odd > 0) notes.push(unreadLines(odd));
  return files;
}

/** False: it is not understood. A line that a setting of Codecov skips is not relevant. */
function addLine(file: FileHits, item: unknown): boolean {
  const [line, kind] = Array.isArray(item) ? item : [];
  if (!Number.isSafeInteger(line) || line < 1 || line > MAX_LINES) return false;
  if (kind === HIT) file.addLine(line, 1);
  else if (kind === MISS) file.addLine(line, 0);
  else if (kind === PARTIAL) addPartial(file, line);
  else return kind === -1 || kind === null;
  return true;
}

/** How many ways there are is not answered: one of two was taken, as a report of Codecov's own form says it. */
export function addPartial(file: FileHits, line: number): void {
  file.addLine(line, 1);
  file.addBranch(line, 0, 0, 1);
  file.addBranch(line, 0, 1, 0);
}

function unreadLines(count: number): string {
  return `${count} lines of reports at Codecov were not understood and are left out.`;
}
