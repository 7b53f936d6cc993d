import { Failure } from '../../core/failure.ts';
import type { ArchiveReader, ArchiveWriter } from '../archive.ts';
import { locateStore } from '../copy/location.ts';
import { openMongoReader, openMongoWriter } from '../mongo/mongo-archive.ts';
import { openSqliteReader, openSqliteWriter } from '../sqlite/sqlite-archive.ts';

export interface OpenedArchives {
  readonly from: ArchiveReader;
  readonly to: ArchiveWriter;
  close(): Promise<void>;
}

/**
 * Opens the store that is copied and the one it is copied to, by the URLs of --from and --to. Throws a Failure that
 * says what to change and never holds a password.
 */
export async function openArchives(urls: { readonly from: string; readonly to: string }): Promise<OpenedArchives> {
  const source = locateStore('--from', urls.from);
  const target = locateStore('--to', urls.to);
  if (source.name === target.name) {
    throw new Failure('conflict', `--from and --to are the same store, ${source.name}; name a new one with --to.`);
  }
  // The source first: a target is not made for a source that is not there.
  const from = await inWordsOf('--from', async () =>
    source.kind === 'sqlite' ? openSqliteReader(source) : openMongoReader(source),
  );
  try {
    const to = await inWordsOf('--to', async () =>
      target.kind === 'sqlite' ? openSqliteWriter(target) : openMongoWriter(target),
    );
    const close = async (): Promise<void> => void (await Promise.all([from.close(), to.close()]));
    return { from, to, close };
  } catch (error) {
    await from.close();
    throw error;
  }
}

/** The adapters' sentences name the server's setting. */
async function inWordsOf<T>(option: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, error.message.replaceAll('DATABASE_URL', option), { cause: error });
  }
}
