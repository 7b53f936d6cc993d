import { expect, test } from 'vitest';
import { readMongoUrl } from './url.ts';

const optionsOf = (url: string) => {
  const { appName, socketTimeoutMS, serverSelectionTimeoutMS } = readMongoUrl(url).client.options;
  return { appName, socketTimeoutMS, serverSelectionTimeoutMS };
};
const DEFAULTS = { appName: 'coverage', socketTimeoutMS: 60_000, serverSelectionTimeoutMS: 8_000 };

test.each([
  ['mongodb://host/coverage', {}],
  ['mongodb://host/coverage?appName=mine', { appName: 'mine' }],
  ['mongodb://host/coverage?SOCKETTIMEOUTMS=7&appname=mine', { appName: 'mine', socketTimeoutMS: 7 }],
  ['mongodb://host/appName=?retryWrites=true', {}],
  ['mongodb://host/coverage?retryWrites=true&serverSelectionTimeoutMS=9', { serverSelectionTimeoutMS: 9 }],
])('what %s states counts, else our default', (url, stated) => {
  expect(optionsOf(url)).toEqual({ ...DEFAULTS, ...stated });
});

test('a hostile URL is read as any other', () => {
  const appName = '&appName'.repeat(20_000).replaceAll('&', '%26');
  expect(optionsOf(`mongodb://host/coverage?appName=${appName}`).appName).toContain('&appName');
});
