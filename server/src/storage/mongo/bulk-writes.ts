import {
  type ClientBulkWriteModel,
  type Db,
  type Document,
  MongoClientBulkWriteError,
  MongoServerError,
} from 'mongodb';
import { bulkWriteRefused } from '../sentences.ts';

/**
 * The command `bulkWrite` of MongoDB 8.0: writes of several collections at once, done one after another up to the first
 * error, with one wait for the journals.
 */
export interface BulkWrites {
  /** Whether the database has it, as far as known: it may still be refused. */
  isUsable(): boolean;
  /** Notes what the database says of itself. */
  learn(hello: Document): void;
  /**
   * Answers whether an update matched a document, by its place, for each update that is known to be done. Others may
   * have been done, too, if an answer was lost. After a refusal, none is known, and the command is never sent again.
   */
  send(writes: readonly ClientBulkWriteModel[]): Promise<ReadonlyMap<number, boolean>>;
}

/** Called once, with a sentence for the log. */
export type OnWarning = (text: string) => void;

/** The wire version of MongoDB 8.0. */
const SINCE = 25;

/**
 * Errors of the whole command, before any of its writes: an older server, a feature compatibility version before 8.0,
 * or what stands between does not know it (CommandNotFound, CommandNotSupported, InvalidOptions, IllegalOperation,
 * IDLUnknownField), or the user may not use it (Unauthorized).
 */
const REFUSALS: ReadonlySet<unknown> = new Set([59, 115, 72, 20, 40415, 13]);

export function createBulkWrites(db: Db, onWarning: OnWarning): BulkWrites {
  let isKnown = false;
  let isRefused = false;
  return {
    isUsable: () => isKnown && !isRefused,
    learn({ maxWireVersion, msg }) {
      // A router would wait for each of its shards in turn, which separate commands do, too.
      isKnown = Number(maxWireVersion) >= SINCE && msg !== 'isdbgrid';
    },
    async send(writes) {
      const { writeConcern } = db;
      const options = { ordered: true, verboseResults: true, ...(writeConcern && { writeConcern }) };
      try {
        return matchesOf((await db.client.bulkWrite(writes, options)).updateResults);
      } catch (error) {
        if (!(error instanceof MongoClientBulkWriteError)) throw error;
        const { cause, writeErrors, writeConcernErrors, partialResult } = error;
        if (cause instanceof MongoServerError && REFUSALS.has(cause.code)) {
          if (!isRefused) onWarning(bulkWriteRefused(cause.code, cause.codeName));
          isRefused = true;
          return new Map();
        }
        if (writeErrors.size > 0 && writeConcernErrors.length === 0) return matchesOf(partialResult?.updateResults);
        throw error;
      }
    },
  };
}

function matchesOf(results: ReadonlyMap<number, { readonly matchedCount: number }> = new Map()) {
  return new Map([...results].map(([index, { matchedCount }]) => [index, matchedCount === 1]));
}
