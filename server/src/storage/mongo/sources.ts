import { TEXT_AGE_STEP } from '../../core/repo/retention.ts';
import type { StoredSource } from '../../reports/report-bytes.ts';
import { joinBytes, splitBytes } from './bytes.ts';
import { chunksOf } from './chunks.ts';
import type { Connection } from './connection.ts';
import { createGroupedReads } from './grouped-reads.ts';
import { tablesOf } from './table.ts';

/** Source texts, each content once per repo, shared by the jobs that bring it. */
export interface Sources {
  /** Before the job is accepted: stores what is new. Answers what the job must `keep` once it was. */
  bring(repoId: number, sources: readonly StoredSource[], jobId: number): Promise<readonly string[]>;
  /** After it was accepted: what it brought is no longer swept. */
  keep(ids: readonly string[]): Promise<void>;
  find(repoId: number, digest: string): Promise<StoredSource | undefined>;
}

type Piece = ReturnType<typeof documentsOf>[number];

const IDS_AT_ONCE = 1_000;
const PIECES_AT_ONCE = 200;
/** Bytes of one command; the server takes 48 MB. */
const BYTES_AT_ONCE = 24 * 1_048_576;
const SOURCES_LIMIT = 60_000;

/** Binds the sources of one database. */
export function createSources(connection: Connection): Sources {
  const { collections, run, serverTime } = connection;
  const { sources } = tablesOf(connection);
  /** Those that stay for longer than an upload takes. An older one is brought again, which makes it young. */
  const findKept = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const kept = new Set<string>();
    const isYoung = { $gt: ['$seenAt', { $subtract: [serverTime(), TEXT_AGE_STEP] }] };
    for (const some of chunksOf(ids, IDS_AT_ONCE)) {
      const found = await sources.list(
        { _id: { $in: [...some] }, kept: true, $expr: isYoung },
        { projection: { _id: 1 } },
      );
      for (const { _id } of found) kept.add(_id);
    }
    return kept;
  };
  const findFirst = createGroupedReads(async (ids) => {
    const found = await sources.list({ _id: { $in: [...ids] } }, { projection: { parts: 1, bytes: 1 } });
    return new Map(found.map((first) => [first._id, first]));
  });
  return {
    async bring(repoId, brought, jobId) {
      const documents = new Map(brought.map((source) => [`${repoId}/${source.digest}`, documentsOf(repoId, source)]));
      const kept = await findKept([...documents.keys()]);
      const fresh = [...documents].filter(([id]) => !kept.has(id)).flatMap(([, pieces]) => pieces);
      // Small pieces are limited by their number, large ones by the bytes that a command takes.
      const weigh = ({ bytes }: Piece): number => Math.max(bytes.position, BYTES_AT_ONCE / PIECES_AT_ONCE);
      for (const some of chunksOf(fresh, BYTES_AT_ONCE, weigh)) {
        const writes = some.map((piece) => toWrite(piece, jobId, serverTime));
        await run(() => collections.sources.bulkWrite(writes, { ordered: false }), SOURCES_LIMIT);
      }
      return fresh.map(({ _id }) => _id);
    },
    async keep(ids) {
      for (const some of chunksOf(ids, IDS_AT_ONCE))
        await sources.updateAll({ _id: { $in: [...some] } }, { $set: { kept: true, jobs: [] } });
    },
    async find(repoId, digest) {
      const id = `${repoId}/${digest}`;
      const first = await findFirst(id);
      if (first === undefined) return undefined;
      const ids = Array.from({ length: first.parts - 1 }, (_, n) => `${id}/${n + 1}`);
      const rest = ids.length === 0 ? [] : await sources.list({ _id: { $in: ids } }, { projection: { bytes: 1 } });
      const bytes = new Map(rest.map((part) => [part._id, part.bytes]));
      const pieces = [first.bytes, ...ids.map((one) => bytes.get(one)).filter((one) => one !== undefined)];
      return { digest, bytes: joinBytes(pieces) };
    },
  };
}

function toWrite({ _id, repoId, parts, bytes }: Piece, jobId: number, serverTime: Connection['serverTime']) {
  const fields = {
    repoId,
    parts: { $ifNull: ['$parts', parts] },
    bytes: { $ifNull: ['$bytes', bytes] },
    // An upload that brings it again keeps the sweep away from it until it was accepted.
    seenAt: serverTime(),
    jobs: { $setUnion: [{ $ifNull: ['$jobs', []] }, [jobId]] },
  };
  return { updateOne: { filter: { _id }, update: [{ $set: fields }], upsert: true } };
}

/** The documents of a source, the first under its own name. */
export function documentsOf(repoId: number, { digest, bytes }: StoredSource) {
  const pieces = splitBytes(bytes);
  return pieces.map((piece, n) => ({
    _id: n === 0 ? `${repoId}/${digest}` : `${repoId}/${digest}/${n}`,
    repoId,
    parts: pieces.length,
    bytes: piece,
  }));
}
