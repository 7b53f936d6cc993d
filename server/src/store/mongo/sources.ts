import type { StoredSource } from '../../ports/store.ts';
import { joinBytes, splitBytes } from './bytes.ts';
import type { Connection } from './connection.ts';
import type { SourceDocument } from './documents.ts';

/** Source texts, each content once per repo, shared by the jobs that bring it. */
export interface Sources {
  /** Before the job is accepted: stores what is new. Answers what the job must `keep` once it was. */
  bring(repoId: number, sources: readonly StoredSource[], jobId: number): Promise<readonly string[]>;
  /** After it was accepted: what it brought is no longer swept. */
  keep(ids: readonly string[]): Promise<void>;
  find(repoId: number, digest: string): Promise<StoredSource | undefined>;
}

const AT_ONCE = 200;
/** Bytes of one command; the server takes 48 MB. */
const BYTES_AT_ONCE = 24 * 1_048_576;
const SOURCES_LIMIT = 60_000;

/** Binds the sources of one database. */
export function createSources({ collections: { sources }, run, serverTime }: Connection): Sources {
  const put = (documents: readonly Pick<SourceDocument, '_id' | 'repoId' | 'parts' | 'bytes'>[], jobId: number) =>
    run(
      () =>
        sources.bulkWrite(
          documents.map(({ _id, repoId, parts, bytes }) => ({
            updateOne: {
              filter: { _id },
              update: [
                {
                  $set: {
                    repoId,
                    parts: { $ifNull: ['$parts', parts] },
                    bytes: { $ifNull: ['$bytes', bytes] },
                    // Whoever brings it again keeps the sweep away from it until it was accepted.
                    seenAt: serverTime(),
                    jobs: { $setUnion: [{ $ifNull: ['$jobs', []] }, [jobId]] },
                  },
                },
              ],
              upsert: true,
            },
          })),
          { ordered: false },
        ),
      SOURCES_LIMIT,
    );
  return {
    async bring(repoId, brought, jobId) {
      const wanted = [...new Map(brought.map((source) => [source.digest, source])).values()];
      const kept = await findKept(
        { sources, run },
        wanted.map(({ digest }) => `${repoId}/${digest}`),
      );
      const fresh = wanted
        .filter(({ digest }) => !kept.has(`${repoId}/${digest}`))
        .flatMap((source) => documentsOf(repoId, source));
      for (const batch of batchesOf(fresh)) await put(batch, jobId);
      return fresh.map(({ _id }) => _id);
    },
    async keep(ids) {
      for (let start = 0; start < ids.length; start += 1_000) {
        const some = ids.slice(start, start + 1_000);
        await run(() => sources.updateMany({ _id: { $in: some } }, { $set: { kept: true, jobs: [] } }));
      }
    },
    async find(repoId, digest) {
      const id = `${repoId}/${digest}`;
      const first = await run(() => sources.findOne({ _id: id }, { projection: { parts: 1, bytes: 1 } }));
      if (first === null) return undefined;
      const ids = Array.from({ length: first.parts - 1 }, (_, n) => `${id}/${n + 1}`);
      const rest =
        ids.length === 0
          ? []
          : await run(() => sources.find({ _id: { $in: ids } }, { projection: { bytes: 1 } }).toArray());
      const bytes = new Map(rest.map((part) => [part._id, part.bytes]));
      const pieces = [first.bytes, ...ids.map((one) => bytes.get(one)).filter((one) => one !== undefined)];
      return { digest, bytes: joinBytes(pieces) };
    },
  };
}

async function findKept(
  { sources, run }: { readonly sources: Connection['collections']['sources']; readonly run: Connection['run'] },
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const kept: string[] = [];
  for (let start = 0; start < ids.length; start += 1_000) {
    const some = ids.slice(start, start + 1_000);
    const found = await run(() =>
      sources.find({ _id: { $in: some }, kept: true }, { projection: { _id: 1 } }).toArray(),
    );
    kept.push(...found.map(({ _id }) => _id));
  }
  return new Set(kept);
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

function* batchesOf<T extends Pick<SourceDocument, 'bytes'>>(documents: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const document of documents) {
    if (batch.length > 0 && (batch.length === AT_ONCE || size + document.bytes.position > BYTES_AT_ONCE)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(document);
    size += document.bytes.position;
  }
  if (batch.length > 0) yield batch;
}
