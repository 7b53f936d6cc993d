/**
 * The server's clock as an expression of the aggregation language, evaluated where the data is: leases of several
 * instances never depend on the clock of one. `$$NOW` outside tests.
 */
export type ServerTime = () => string | { readonly $literal: Date };

export const SERVER_TIME: ServerTime = () => '$$NOW';

/** An expression of the time `ms` after another. */
export function later(time: ReturnType<ServerTime>, ms: number): object {
  return { $add: [time, ms] };
}

/** Filter: the Date in `field` is there and not after `time`. The comparison with a constant lets an index answer. */
export function notAfter(field: string, time: ReturnType<ServerTime>): object {
  return { [field]: { $gt: EPOCH }, $expr: { $lte: [`$${field}`, time] } };
}

const EPOCH = new Date(0);

/** Set-stage: when a document with `due` may be claimed: not while leased, nor before it was put off to. */
export function claimable(due: string): object {
  const times = { $max: [`$${due}`, '$leaseUntil', '$notBefore'] };
  return { $set: { claimableAt: { $cond: [{ $eq: [{ $type: `$${due}` }, 'missing'] }, '$$REMOVE', times] } } };
}

/** Asks for the one that may be claimed first. */
export const NEXT_CLAIMABLE = [
  { claimableAt: { $exists: true } },
  { projection: { claimableAt: 1 }, sort: { claimableAt: 1, _id: 1 }, limit: 1 },
] as const;

/** The time of a record as a Date, undefined left out. */
export function toDate(at: number | undefined): Date | undefined {
  return at === undefined ? undefined : new Date(at);
}

/** Set-stage: each field literally; one that is undefined goes. */
export function assign(fields: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value === undefined ? '$$REMOVE' : { $literal: value },
  ]);
  return { $set: Object.fromEntries(entries) };
}

/** Expression: the list with one item more, literally. */
export function append(list: string, item: object): object {
  return { $concatArrays: [{ $ifNull: [list, []] }, [{ $literal: item }]] };
}
