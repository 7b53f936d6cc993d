import { expect, test } from 'vitest';
import { chooseTexts } from './source-texts.ts';

const diff = {
  base_sha: '',
  head_sha: '',
  complete: true,
  files: [{ name: 'a.c', kind: 'added', hunks: null } as const],
};
const ask = (texts: ReturnType<typeof chooseTexts>, ...names: readonly string[]) =>
  names.map((name) => texts.textOf(name, Buffer.from(`text of ${name}`)));

test('all, those that changed, or none go along', () => {
  expect(ask(chooseTexts('all', undefined), 'a.c', 'b.c')).toEqual(['text of a.c', 'text of b.c']);
  expect(ask(chooseTexts('changed', diff), 'a.c', 'b.c')).toEqual(['text of a.c', undefined]);
  expect(ask(chooseTexts('changed', undefined), 'a.c')).toEqual([undefined]);
  expect(ask(chooseTexts('none', diff), 'a.c')).toEqual([undefined]);
});

test('what is too large, too much or no text stays behind, and is counted', () => {
  const texts = chooseTexts('all', undefined, { file: 20, all: 25 });
  expect(ask(texts, 'a', 'very-long-name-of-a-file', 'bb', 'ccccccc')).toEqual([
    'text of a',
    undefined,
    'text of bb',
    undefined,
  ]);
  for (const bytes of [[0], [0xff], [0x61, 0xc3]]) expect(texts.textOf('x', Buffer.from(bytes))).toBeUndefined();
  expect(texts.counts()).toEqual({ sent: 2, kept: 5 });
});
