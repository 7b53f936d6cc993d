import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type HistoryRemarks, type HistorySource, MAX_REMARKS, type PastCommit } from '@coverage/shared/history';
import type { FileHits } from '../../formats/file-hits.ts';
import type { PastReport } from './past.ts';

const FORMAT = { format: 'coverage-service-export', version: 2 } as const;
const [MANIFEST, SUMS, BUILDS] = ['manifest.json', 'SHA256SUMS', 'builds.jsonl'];
const OWNER_ONLY = 0o600;

/** A folder that a server imports (docs/export.md "A history"). */
export interface HistoryWriter {
  /** Newest first. */
  add(commit: PastCommit, reports: readonly PastReport[]): void;
  /** What makes the folder whole. */
  finish(manifest: HistoryManifest): void;
}

export interface HistoryManifest extends HistoryRemarks {
  readonly from: HistorySource;
  /** Where it was read. */
  readonly address: string;
  /** `<service>/<owner>/<name>` on the server. */
  readonly repo: string;
  readonly by: string;
  readonly now: number;
}

/** Begins the folder, which only its owner can read. */
export function writeHistory(folder: string): HistoryWriter {
  mkdirSync(join(folder, 'reports'), { recursive: true, mode: 0o700 });
  const lines: string[] = [];
  const sums: string[] = [];
  let jobs = 0;
  const write = (path: string, bytes: string | Uint8Array): void => {
    writeFileSync(join(folder, path), bytes, { mode: OWNER_ONLY });
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`);
  };
  return {
    add(commit, reports) {
      const named = reports.map(({ flag, files }) => {
        jobs += 1;
        write(`reports/job-${jobs}.jsonl.gz`, gzipSync(reportLines(files)));
        return { id: jobs, flag };
      });
      lines.push(`${JSON.stringify({ ...commit, reports: named })}\n`);
    },
    finish({ from, address, repo, by, now, leftOut = [], requests, notes = [] }) {
      write(BUILDS as string, lines.join(''));
      writeFileSync(join(folder, SUMS as string), sums.join(''), { mode: OWNER_ONLY });
      const manifest = {
        ...FORMAT,
        repo,
        exportedAt: new Date(now).toISOString(),
        by,
        emails: false,
        counts: { builds: lines.length, jobs, sources: 0, facts: 0 },
        leftOut: 0,
        history: {
          from,
          address,
          requests,
          leftOut: leftOut.slice(0, MAX_REMARKS),
          notes: notes.slice(0, MAX_REMARKS),
        },
        sha256: createHash('sha256').update(sums.join('')).digest('hex'),
      };
      const part = join(folder, `${MANIFEST}.part`);
      writeFileSync(part, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: OWNER_ONLY });
      renameSync(part, join(folder, MANIFEST as string));
    },
  };
}

/** Whether a folder is a whole history. */
export function isWhole(folder: string): boolean {
  try {
    readFileSync(join(folder, MANIFEST as string));
    return true;
  } catch {
    return false;
  }
}

function reportLines(files: readonly FileHits[]): string {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted
    .map((file) => `${JSON.stringify({ name: file.name, coverage: file.coverage(), branches: file.branches() })}\n`)
    .join('');
}
