import { z } from 'zod';
import { HISTORY_SOURCES, type HistorySource } from '../../core/builds/imported.ts';

// The forms that lines of an export are made of. All of it is hostile text: a key that is not known is refused, since
// leaving it out would change the record.

/** The highest id that is taken: far above any server's, far below what a double holds. */
const HIGHEST_ID = 2 ** 40;

export const form = z.strictObject;
/** A form for each field of a record: one that a later version adds must not be lost on the way. */
export type FormsOf<T> = Readonly<Record<keyof T, z.ZodType>>;
export const is = z.literal;
export const id = z.int().min(1).max(HIGHEST_ID);
/** Imported builds have 0 and less. */
export const sequence = z.int().min(-HIGHEST_ID).max(HIGHEST_ID);
export const count = z.int().min(0);
export const time = z.int().min(0).max(8.64e15);
export const percent = z.number().min(0).max(100);
export const text = z.string().max(1_000_000);
/** Rule 26: of an upload only an http(s) address is a link. */
export const link = z
  .string()
  .max(10_000)
  .regex(/^https?:\/\//i);
export const flag = z.boolean();
export const list = <T extends z.ZodType>(item: T) => z.array(item).max(1_000_000);
export const range = z.tuple([count, count]);

export const totals = form({ coveredLines: count, relevantLines: count, coveredBranches: count, branches: count });
export const historySource = z.enum(Object.keys(HISTORY_SOURCES) as [HistorySource, ...HistorySource[]]);
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const sentDiff = form({ base: text, head: text, digest: z.string().regex(/^diff-[0-9a-f]{64}$/) });
export const sentRules = form({ path: text, digest: sha256 });
export const trust = z.enum(['secret', 'provider', 'run']);
export const authors = form({
  authorName: text.optional(),
  authorEmail: text.optional(),
  committerName: text.optional(),
  committerEmail: text.optional(),
});
export const vouchedRun = form({
  id: text,
  number: text.optional(),
  headCommit: text,
  unconfirmed: z.literal(true).optional(),
});
