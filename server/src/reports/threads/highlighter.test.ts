import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { HIGHLIGHT_KINDS } from '../../core/coverage/highlights.ts';
import { systemTimers } from '../../platform/timers/system-timers.ts';
import { MAX_HIGHLIGHTED_TEXT } from '../highlighter.ts';
import { createHighlightText } from './highlight-text.ts';
import { createHighlighter } from './highlighter.ts';
import { languageOf } from './source-languages.ts';
import { createTimedEngine, TextTookTooLong } from './timed-engine.ts';

const stored = (text: string) => ({
  digest: createHash('sha256').update(text).digest('hex'),
  bytes: zstdCompressSync(text),
});
const highlighter = createHighlighter({ timers: systemTimers, firstWait: 30_000 });
afterAll(() => highlighter.close());

/** The colored parts as text. */
async function colored(name: string, text: string): Promise<string[]> {
  const runs = await highlighter.highlight({ repoId: 1, name, source: stored(text) });
  if (runs === 'pending') throw new Error('the text was not colored in time');
  const lines = text.split('\n');
  return Array.from({ length: runs.length / 4 }, (_, run) => {
    const [line = 0, start, end, kind = 0] = runs.subarray(run * 4, run * 4 + 4);
    return `${HIGHLIGHT_KINDS[kind]} ${lines[line]?.slice(start, end)}`;
  });
}

describe('createHighlighter', () => {
  it('tells keywords, strings and comments, over several lines too', async () => {
    expect(await colored('src/a.ts', '// so\nconst a = "b"; /* c\n d */ return 12;')).toEqual([
      'comment // so',
      'keyword const',
      'string "b"',
      'comment /* c',
      'comment  d */',
      'keyword return',
      'string 12',
    ]);
    expect(await colored('a.PY', 'if not a:  # no')).toEqual(['keyword if', 'keyword not', 'comment # no']);
  });

  it('leaves plain what has no language, is too long, or has a long line', async () => {
    expect(await colored('LICENSE', 'if')).toEqual([]);
    expect(await colored('a.constructor', 'if')).toEqual([]);
    expect(await colored('a.ts', '/'.repeat(MAX_HIGHLIGHTED_TEXT + 1))).toEqual([]);
    expect(await colored('a.ts', `${'if '.repeat(400)}\nif`)).toEqual(['keyword if']);
  });

  it('ends what takes too long, remembers it as plain, and continues with others', async () => {
    const short = createHighlighter({ timers: systemTimers, firstWait: 30_000, timeLimit: 1 });
    const asked = { repoId: 1, name: 'a.ts', source: stored('const a = 1;\n'.repeat(50_000)) };
    expect(await short.highlight(asked)).toHaveLength(0);
    expect(await short.highlight(asked)).toHaveLength(0);
    await short.close();
  });

  it('ends a thread that one search holds up, by its processor time, and starts another', async () => {
    let isStuck = true;
    // In place of a search that takes minutes: a text of that time, in a thread that says it is over its own.
    const watched = createHighlighter({
      timers: systemTimers,
      firstWait: 30_000,
      textTime: 600_000,
      processorTime: async () => (isStuck ? Number.MAX_VALUE : 0),
    });
    const slow = { repoId: 1, name: 'a.sh', source: stored(`${'<'.repeat(990)}\n`.repeat(1_000)) };
    expect(await watched.highlight(slow)).toHaveLength(0);
    isStuck = false;
    expect(await watched.highlight({ repoId: 2, name: 'a.rb', source: stored('def a; end') })).toHaveLength(8);
    expect(await watched.highlight(slow)).toHaveLength(0);
    await watched.close();
  });

  it('lets repos take turns, and each have a limited number of texts wait', async () => {
    const fair = createHighlighter({ timers: systemTimers, firstWait: 30_000 });
    const done: string[] = [];
    const ask = async (repoId: number, text: number) => {
      const runs = await fair.highlight({ repoId, name: 'a.rb', source: stored(`def a${text}; end`) });
      done.push(runs === 'pending' ? 'pending' : `${text} of ${repoId}`);
    };
    const asked = Array.from({ length: 21 }, (_, text) => ask(1, text));
    await Promise.all([...asked, ask(2, 100)]);
    expect(done.slice(0, 4)).toEqual(['pending', '0 of 1', '100 of 2', '1 of 1']);
    await fair.close();
  });

  it('takes the first text of a repo however many of others wait', async () => {
    const crowded = createHighlighter({ timers: systemTimers, firstWait: 60_000 });
    const ask = (repoId: number, text: number) =>
      crowded.highlight({ repoId, name: 'a.rb', source: stored(`def a${text}; end`) });
    const others = Array.from({ length: 200 }, (_, text) => ask(text % 10, text));
    const [first, second] = await Promise.all([ask(10, 200), ask(10, 201)]);
    expect([first.length, second]).toEqual([8, 'pending']);
    await Promise.all(others);
    await crowded.close();
  });

  it('lets nobody wait for a long text: it is colored when it is asked for again', async () => {
    const eager = createHighlighter({ timers: systemTimers, firstWait: 0 });
    const asked = { repoId: 1, name: 'a.rb', source: stored('def a; end') };
    expect(await eager.highlight(asked)).toBe('pending');
    await expect.poll(() => eager.highlight(asked), { timeout: 30_000 }).not.toBe('pending');
    expect(await eager.highlight(asked)).toHaveLength(8);
    await eager.close();
  });

  it('starts no thread once it is closed', async () => {
    const closed = createHighlighter({ timers: systemTimers });
    const asked = { repoId: 1, name: 'a.ts', source: stored('return 1;') };
    expect(await closed.highlight(asked)).toBe('pending');
    await closed.close();
    await expect.poll(() => closed.highlight(asked), { timeout: 30_000 }).toEqual(new Uint32Array(0));
  });
});

describe('createHighlightText', () => {
  /**
   * A clock that continues by 1 ms whenever it is looked at: before and after a scanner is made, and at each search.
   */
  const open = () => {
    let now = 0;
    const until = new Float64Array(1);
    const highlight = createHighlightText({ elapsed: () => ++now });
    return {
      highlight: (name: string, text: string) => highlight(name, text, { limit: 300, until }),
      until,
      at: () => now,
    };
  };

  it('stops after its time, wherever in a line that is, and colors what comes next', async () => {
    const { highlight, until, at } = open();
    expect(await highlight('a.sh', 'echo "a" # b')).not.toHaveLength(0);
    for (const name of ['b.sh', 'c.sh', 'd.sh']) {
      const begun = at();
      expect(await highlight(name, `${'<'.repeat(300)}\n`.repeat(40))).toBeUndefined();
      expect(at() - begun).toBeLessThan(310);
    }
    expect(await highlight('e.sh', 'echo "a" # b')).not.toHaveLength(0);
    expect(until[0]).toBeGreaterThan(at());
  });

  it('does not count what makes a language ready, unless a text makes it do so without end', () => {
    const until = new Float64Array(1);
    let now = 0;
    // Infinity: a scanner is being made.
    const elapsed = () => (now += until[0] === Number.POSITIVE_INFINITY ? 10_000 : 1);
    const { engine, begin } = createTimedEngine({ elapsed });
    begin(300, until);
    const search = (heredoc: number) => engine.createScanner([`end${heredoc}`]).findNextMatchSync('b', 0, 0);
    for (let heredoc = 0; heredoc < 100; heredoc += 1) expect(search(heredoc)).toBeNull();
    expect(until[0]).toBe(1_000_301);
    for (let heredoc = 100; heredoc < 1_500; heredoc += 1) engine.createScanner([`end${heredoc}`]);
    expect(until[0]).toBe(10_000_301);
    expect(() => search(1_500)).toThrow(TextTookTooLong);
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
