import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { revisitWaiting } from '../closing/reevaluate-dependents.ts';
import { Failure } from '../core/failure.ts';
import { createWorkLoop, type WorkLoop } from '../platform/timers/work-loop.ts';
import { type HistoryFiles, type HistoryServices, workOnHistory } from '../repos/history-imports.ts';
import type { FoundBuild } from '../storage/history-imports.ts';
import { type BringHistoryDeps, bringHistory } from '../storage/transfer/bring-history.ts';
import { checkHistory } from '../storage/transfer/check-history.ts';
import { detailOf, type HistoryBuild } from '../storage/transfer/history-forms.ts';
import { countHere, planHistory } from '../storage/transfer/import-history.ts';
import { openFolder } from '../storage/transfer/read-folder.ts';
import { unpackHistory } from '../storage/transfer/unpack-history.ts';
import type { ServerServices } from './services.ts';
import { idleOf } from './workers.ts';

const EMPTY = 'The history has no builds. Look at what coverage import-history said when it wrote it.';

/** Bytes of an upload in one row or document. */
const PIECE = 3 * 2 ** 18;

/** Histories that people upload, and what works on them. */
export function composeHistories(services: ServerServices): {
  readonly histories: ServerServices & HistoryServices;
  readonly loop: WorkLoop;
} {
  const { store, clock, timers, logger } = services;
  const loop: WorkLoop = createWorkLoop({
    name: 'histories',
    run: () => workOnHistory(histories),
    ...idleOf(store),
    clock,
    timers,
    logger,
  });
  const histories = { ...services, historyFiles: createHistoryFiles(services), onHistoryDue: () => loop.nudge() };
  return { histories, loop };
}

function createHistoryFiles({ store, pool, clock }: ServerServices): HistoryFiles {
  const composeOf =
    (repoId: number): BringHistoryDeps['compose'] =>
    (jobs) =>
      pool.merge(repoId, (merger) => merger.compose({ jobs, carried: [], base: undefined }));
  return {
    check: (archive, { id }) =>
      inFolder(archive, async (path) => {
        const folder = await openFolder(path);
        const { newest, oldest, ...found } = await checkHistory(folder);
        if (newest === undefined || oldest === undefined) throw new Failure('payload-invalid', EMPTY);
        const here = await countHere({ compose: composeOf(id) }, folder, newest);
        const plan = await planHistory(store, { repo: { id }, folder });
        return { ...found, newest: { ...toFound(newest), here }, oldest: toFound(oldest), plan };
      }),
    pieces: (archive) => piecesOf(archive),
    async *bring({ repo, pieces, by, now }) {
      const place = await mkdtemp(join(tmpdir(), 'coverage-history-'));
      try {
        const archive = join(place, 'archive');
        await pipeline(bytesOf(pieces), createWriteStream(archive, { mode: 0o600 }));
        const unpacked = join(place, 'history');
        await unpackHistory(archive, unpacked);
        const folder = await openFolder(unpacked);
        const checked = await checkHistory(folder);
        const deps: BringHistoryDeps = {
          store,
          compose: composeOf(repo.id),
          revisit: (waited) => revisitWaiting({ builds: store.builds, clock }, waited),
        };
        for await (const { added, skipped } of bringHistory(deps, { repo, folder, checked, by, now }))
          yield { added, ...skipped };
      } finally {
        await rm(place, { recursive: true, force: true });
      }
    },
  };
}

async function inFolder<T>(archive: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'coverage-history-'));
  try {
    await unpackHistory(archive, folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toFound(build: HistoryBuild): FoundBuild {
  const { commit, at, shown, partialLines } = build;
  return { commit, at, shown, partialLines, detail: detailOf(build) };
}

async function* piecesOf(archive: string): AsyncGenerator<string> {
  for await (const piece of createReadStream(archive, { highWaterMark: PIECE }))
    yield (piece as Buffer).toString('base64');
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece, 'base64');
}
