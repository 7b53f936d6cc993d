import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { HIGHLIGHT_KINDS } from '../domain/coverage/highlights.ts';
import { MAX_HIGHLIGHTED_TEXT } from '../ports/highlighter.ts';
import { systemTimers } from '../workers/system-timers.ts';
import { createHighlighter } from './highlighter.ts';
import { languageOf } from './source-languages.ts';

const stored = (text: string) => ({
  digest: createHash('sha256').update(text).digest('hex'),
  bytes: zstdCompressSync(text),
});
const highlighter = createHighlighter({ timers: systemTimers, firstWait: 30_000 });
afterAll(() => highlighter.close());

/** The coloured parts as text. */
async function coloured(name: string, text: string): Promise<string[]> {
  const runs = await highlighter.highlight({ name, source: stored(text) });
  if (runs === 'pending') throw new Error('the text was not coloured in time');
  const lines = text.split('\n');
  return Array.from({ length: runs.length / 4 }, (_, run) => {
    const [line = 0, start, end, kind = 0] = runs.subarray(run * 4, run * 4 + 4);
    return `${HIGHLIGHT_KINDS[kind]} ${lines[line]?.slice(start, end)}`;
  });
}

describe('createHighlighter', () => {
  it('tells keywords, strings and comments, over several lines too', async () => {
    expect(await coloured('src/a.ts', '// so\nconst a = "b"; /* c\n d */ return 12;')).toEqual([
      'comment // so',
      'keyword const',
      'string "b"',
      'comment /* c',
      'comment  d */',
      'keyword return',
      'string 12',
    ]);
    expect(await coloured('a.PY', 'if not a:  # no')).toEqual(['keyword if', 'keyword not', 'comment # no']);
  });

  it('leaves plain what has no language, is too long, or has a long line', async () => {
    expect(await coloured('LICENSE', 'if')).toEqual([]);
    expect(await coloured('a.constructor', 'if')).toEqual([]);
    expect(await coloured('a.ts', '/'.repeat(MAX_HIGHLIGHTED_TEXT + 1))).toEqual([]);
    expect(await coloured('a.ts', `${'if '.repeat(400)}\nif`)).toEqual(['keyword if']);
  });

  it('ends what takes too long, remembers it as plain, and goes on with others', async () => {
    const short = createHighlighter({ timers: systemTimers, firstWait: 30_000, timeLimit: 1 });
    const source = stored('const a = 1;\n'.repeat(50_000));
    expect(await short.highlight({ name: 'a.ts', source })).toHaveLength(0);
    expect(await short.highlight({ name: 'a.ts', source })).toHaveLength(0);
    await short.close();
  });

  it('lets nobody wait for a long text: it is coloured when it is asked for again', async () => {
    const eager = createHighlighter({ timers: systemTimers, firstWait: 0 });
    const asked = { name: 'a.rb', source: stored('def a; end') };
    expect(await eager.highlight(asked)).toBe('pending');
    await expect.poll(() => eager.highlight(asked), { timeout: 30_000 }).not.toBe('pending');
    expect(await eager.highlight(asked)).toHaveLength(8);
    await eager.close();
  });
});

describe('languageOf', () => {
  it('knows the usual endings', () => {
    const endings =
      'ada bash c cc clj cljs cmake coffee cpp cr cs css cu cxx d dart erl ex exs f90 fs go gradle graphql ' +
      'groovy h hpp hrl hs html hx ini java jl js json jsx kt kts less lisp lua m make md mjs ml mm nim nix ' +
      'pas php pl pm proto ps1 py pyi pyx r rb rs sass scala scm scss sh sol sql sv svelte swift tcl tf ' +
      'toml ts tsx v vb vhd vue xml yaml yml zig';
    const unknown = endings.split(' ').filter((ending) => languageOf(`src/a.${ending}`) === undefined);
    expect(unknown).toEqual([]);
    expect(endings.split(' ').length).toBeGreaterThan(60);
    expect([languageOf('Dockerfile'), languageOf('a/Makefile'), languageOf('x.__proto__')]).toEqual([
      'docker',
      'make',
      undefined,
    ]);
  });
});
