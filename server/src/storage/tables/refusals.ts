import { KEPT_REFUSED, MAX_REFUSED, type RefusedUpload } from '../../core/builds/refused-upload.ts';
import type { RefusalStore } from '../refusal-store.ts';
import type { Declaration, Units } from '../table.ts';

type Counted = Pick<RefusedUpload, 'repoId' | 'lastAt' | 'firstAt' | 'count'>;

export const REFUSALS: Declaration<RefusedUpload, 'refused_uploads'> = {
  name: 'refused_uploads',
  key: ['repoId', 'key'],
  columns: ['lastAt'],
  beside: ['lastAt'],
  document: {
    fields: ['lastAt', 'firstAt', 'count', 'rest'],
    write: ({ repoId: _, lastAt: __, firstAt, count, ...rest }) => ({ firstAt, count, rest }),
    read: ({
      repoId,
      lastAt,
      firstAt,
      count,
      rest,
    }: Counted & { readonly rest: Omit<RefusedUpload, keyof Counted> }) => ({
      ...rest,
      repoId,
      lastAt,
      firstAt,
      count,
    }),
  },
  ofRepo: true,
  indexes: [['newest', { repoId: 1, lastAt: -1 }, 'refused uploads of a repo, newest first']],
};

/** Refused uploads. */
export function createRefusalStore({ table, read, write }: Units): RefusalStore {
  const refusals = table(REFUSALS);
  const newest = { by: ['lastAt'], newestFirst: true } as const;
  return {
    note: (refused) =>
      write(function* () {
        const { repoId, key, lastAt } = refused;
        const noted = yield* refusals.change([repoId, key], (before) =>
          before ? { ...refused, firstAt: before.firstAt, count: before.count + refused.count } : refused,
        );
        if (noted === undefined) return;
        const [last] = yield* refusals.list({ where: { repoId }, ...newest, skip: MAX_REFUSED - 1, limit: 1 });
        const oldest = Math.max(lastAt - KEPT_REFUSED, last?.lastAt ?? 0);
        yield* refusals.remove({ repoId, lastAt: { below: oldest } });
      }),
    list: (repoId, since) => read(() => refusals.list({ where: { repoId, lastAt: { atLeast: since } }, ...newest })),
  };
}
