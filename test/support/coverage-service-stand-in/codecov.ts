import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refused, type RestAnswer, type RestServer, startRestServer } from '../rest-stand-in/rest-server.ts';

/** A line as Codecov answers it: hit, missed, partly covered. */
export type CodecovLine = 'hit' | 'miss' | 'partial';
export type CodecovFiles = Readonly<Record<string, readonly (CodecovLine | undefined)[]>>;

/** What Codecov knows of a commit of main. */
export interface CodecovCommit {
  readonly sha: string;
  /** ISO 8601. */
  readonly at: string;
  readonly message?: string;
  readonly state?: 'complete' | 'pending' | 'error' | 'skipped';
  /** By flag; '' for uploads without one. */
  readonly reports: Readonly<Record<string, CodecovFiles>>;
}

export interface CodecovStandIn extends RestServer {
  /** The newest commit's percentage, as its page shows it: two decimals, cut. */
  readonly shown: number;
}

const REPO = /^\/api\/v2\/github\/acme\/repos\/shop(\/.*)$/;

/**
 * Codecov's API v2 as its serializers and its description have it: commits newest first in pages, reports with lines,
 * uploads with flags. `token`: what a private repo asks for.
 */
export async function startCodecov(
  commits: readonly CodecovCommit[],
  { token }: { readonly token?: string } = {},
): Promise<CodecovStandIn> {
  const server = await startRestServer({ now: Date.now, answer: (request) => answer(commits, request, token) });
  return { ...server, shown: totalsOf(commits[0] as CodecovCommit).coverage };
}

function answer(commits: readonly CodecovCommit[], request: IncomingMessage, token: string | undefined): RestAnswer {
  const url = new URL(request.url ?? '/', 'http://codecov.example');
  const [, path] = REPO.exec(url.pathname) ?? [];
  if (path === undefined) throw new Refused(404, { detail: 'Not found.' });
  if (token !== undefined && request.headers.authorization !== `bearer ${token}`)
    throw new Refused(403, { detail: 'Permission denied: some other possible reasons' });
  if (path === '/') return { status: 200, body: { name: 'shop', private: token !== undefined, branch: 'main' } };
  if (path === '/commits/') return pageOf(commits.map(commitOf), url);
  const [, sha = ''] = /^\/commits\/([0-9a-f]{40})\/uploads\/$/.exec(path) ?? [];
  const commit = commits.find((one) => one.sha === (sha || url.searchParams.get('sha')));
  if (commit === undefined) throw new Refused(404, { detail: 'The sha was not found.' });
  if (sha !== '') return pageOf(uploadsOf(commit), url);
  if (path === '/report/') return { status: 200, body: reportOf(commit, url.searchParams.get('flag')) };
  throw new Refused(404, { detail: 'Not found.' });
}

function pageOf(all: readonly object[], url: URL): RestAnswer {
  const size = Number(url.searchParams.get('page_size') ?? 20);
  const page = Number(url.searchParams.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(all.length / size));
  const at = (number: number) => (number < 1 || number > pages ? null : `${url.pathname}?page=${number}`);
  const results = all.slice((page - 1) * size, page * size);
  return {
    status: 200,
    body: { count: all.length, next: at(page + 1), previous: at(page - 1), results, total_pages: pages },
  };
}

function commitOf(commit: CodecovCommit): object {
  const { sha, at, message = 'Change', state = 'complete' } = commit;
  const author = { service: 'github', username: 'mona', name: 'Mona' };
  const totals = state === 'complete' ? totalsOf(commit) : null;
  return {
    commitid: sha,
    message,
    timestamp: at,
    ci_passed: true,
    author,
    branch: 'main',
    totals,
    state,
    parent: null,
  };
}

function uploadsOf({ reports }: CodecovCommit): readonly object[] {
  return Object.keys(reports).map((flag) => ({
    created_at: '2026-01-01T00:00:00Z',
    storage_path: `v4/raw/2026-01-01/${createHash('md5').update(flag).digest('hex').toUpperCase()}.txt`,
    flags: flag === '' ? [] : [flag],
    upload_type: 'uploaded',
    state: 'processed',
  }));
}

/** Each line by what the flags together have: hit where one is, else partial where one is. */
function joined(
  { reports }: CodecovCommit,
  flag: string | null,
): ReadonlyMap<string, readonly (CodecovLine | undefined)[]> {
  const files = new Map<string, (CodecovLine | undefined)[]>();
  for (const [name, ofFlag] of Object.entries(reports)) {
    if (flag !== null && flag !== name) continue;
    for (const [file, lines] of Object.entries(ofFlag)) {
      const known = files.get(file) ?? [];
      for (const [index, line] of lines.entries()) known[index] = better(known[index], line);
      files.set(file, known);
    }
  }
  return files;
}

const RANK: readonly (CodecovLine | undefined)[] = [undefined, 'miss', 'partial', 'hit'];
function better(a: CodecovLine | undefined, b: CodecovLine | undefined): CodecovLine | undefined {
  return RANK[Math.max(RANK.indexOf(a), RANK.indexOf(b))];
}

function totalsOf(commit: CodecovCommit) {
  const lines = [...joined(commit, null).values()].flat();
  const count = (kind: CodecovLine) => lines.filter((line) => line === kind).length;
  const [hits, misses, partials] = [count('hit'), count('miss'), count('partial')];
  const all = hits + misses + partials;
  const coverage = all === 0 ? 0 : Math.floor((hits * 10_000) / all) / 100;
  return {
    files: joined(commit, null).size,
    lines: all,
    hits,
    misses,
    partials,
    coverage,
    branches: 0,
    sessions: 1,
    diff: 0,
  };
}

const KINDS = { hit: 0, miss: 1, partial: 2 } as const;

function reportOf(commit: CodecovCommit, flag: string | null): object {
  const files = [...joined(commit, flag)].map(([name, lines]) => ({
    name,
    totals: {},
    line_coverage: [...lines].flatMap((line, index) => (line === undefined ? [] : [[index + 1, KINDS[line]]])),
  }));
  return { totals: totalsOf(commit), files, commit_file_url: 'http://codecov.example/' };
}
