import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../../server/src/storage/sqlite/connection.ts';
import type { Declaration } from '../../server/src/storage/table.ts';
import { DECLARED } from '../../server/src/storage/tables/all.ts';

type Declared = Pick<Declaration<object>, 'name' | 'flat' | 'ofRepo' | 'copied'> & {
  readonly key: readonly string[];
  readonly columns?: readonly string[];
  readonly derived?: object;
};
const all: readonly Declared[] = DECLARED;

const connection = connect({ path: ':memory:', busyTimeout: 0 });
afterAll(() => connection.close());

const rows = (sql: string): readonly Record<string, unknown>[] => connection.prepare(sql).all();
const snake = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// The schema is made in steps that are never edited, so it cannot follow from the declarations.
describe.each(all.map((declared) => [declared.name, declared] as const))(
  '%s in the schema of SQLite',
  (name, { key, columns = [], derived = {}, flat, ofRepo }) => {
    it('has the columns that are declared', () => {
      const found = rows(`SELECT name, pk FROM pragma_table_info('${name}')`);
      const named = [...key, ...columns, ...Object.keys(derived)].map(snake);
      expect(found.map((one) => one.name).toSorted()).toEqual([...named, ...(flat ? [] : ['record'])].toSorted());
      const ofKey = found.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a.pk) - Number(b.pk));
      expect(ofKey.map((one) => one.name)).toEqual(key.map(snake));
    });

    it(ofRepo ? 'goes with its repo' : 'stays when a repo is removed', () => {
      const ofRepos = rows(`SELECT on_delete FROM pragma_foreign_key_list('${name}') WHERE "table" = 'repos'`);
      expect(ofRepos).toEqual(ofRepo ? [{ on_delete: 'CASCADE' }] : []);
    });
  },
);

it('docs/architecture/stores.md marks what is not copied', async () => {
  const text = await readFile(new URL('../../docs/architecture/stores.md', import.meta.url), 'utf8');
  const marked = [...text.matchAll(/^\| (`[^|]+`) \| .* \* \|$/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  const isMarked = all.map(({ name }) => [name, marked.includes(name)]);
  expect(isMarked).toEqual(all.map(({ name, copied }) => [name, copied === undefined]));
});
