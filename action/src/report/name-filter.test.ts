import { expect, test } from 'vitest';
import { nameFilter } from './name-filter.ts';

test('names are filtered as the patterns say, whatever their endings', () => {
  const patterns = ['lcov*.info', '*.gcov.json.gz', '.coverage', 'cover.txt'];
  const names = [
    'lcov.info',
    'lcov-2.info',
    'a.info',
    'x.gcov.json.gz',
    'x.json.gz',
    '.coverage',
    'a.coverage',
    'a.txt',
  ];
  const isKnown = nameFilter(patterns);
  const found = ['lcov.info', 'lcov-2.info', 'x.gcov.json.gz', '.coverage'];
  expect(names.filter(isKnown)).toEqual(found);
  expect(names.filter(isKnown)).toEqual(found);
  expect(['a.x', 'b'].filter(nameFilter(['*.{x,y}', 'b']))).toEqual(['a.x', 'b']);
});
