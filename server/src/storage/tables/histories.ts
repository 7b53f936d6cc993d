import type { HistoryImport, HistoryImportStore, HistoryPart } from '../history-imports.ts';
import type { Declaration, Units } from '../table.ts';

export const HISTORY_IMPORTS: Declaration<HistoryImport, 'history_imports'> = {
  name: 'history_imports',
  key: ['repoId'],
  beside: ['repoId'],
  ofRepo: true,
  indexes: [['repo', { repoId: 1 }, 'removing a repo']],
};

export const HISTORY_PARTS: Declaration<HistoryPart, 'history_parts'> = {
  name: 'history_parts',
  key: ['repoId', 'part'],
  beside: ['repoId'],
  ofRepo: true,
  indexes: [['repo', { repoId: 1 }, 'parts of an uploaded history; removing a repo']],
};

/** Histories that were uploaded, until they are imported. */
export function createHistoryImports({ table, read, write }: Units): HistoryImportStore {
  const [imports, parts] = [table(HISTORY_IMPORTS), table(HISTORY_PARTS)];
  const dropParts = (repoId: number) => write(() => parts.remove({ repoId }));
  return {
    find: (repoId) => read(() => imports.one({ repoId })),
    list: () => read(() => imports.list()),
    async begin(begun, pieces) {
      const { repoId } = begun;
      await write(() => imports.remove({ repoId }));
      await dropParts(repoId);
      let part = 0;
      for await (const data of pieces) {
        part += 1;
        const record = { repoId, part, data };
        if (!(await write(() => parts.put(record)))) return false;
      }
      return write(() => imports.put({ ...begun, parts: part }));
    },
    change: (repoId, to) => write(() => imports.change([repoId], (record) => record && to(record))),
    async *parts(repoId) {
      for (let part = 1; ; part += 1) {
        const found = await read(() => parts.one({ repoId, part }));
        if (found === undefined) return;
        yield found.data;
      }
    },
    dropParts: async (repoId) => void (await dropParts(repoId)),
    async remove(repoId) {
      await write(() => imports.remove({ repoId }));
      await dropParts(repoId);
    },
  };
}
