import { describe, expect, test } from 'vitest';
import { coverageBadge } from './badge.ts';
import { renderBadge } from './badge-svg.ts';
import { textWidth } from './text-width.ts';

const lines = (coveredLines: number, relevantLines: number) => ({
  coveredLines,
  relevantLines,
  coveredBranches: 0,
  branches: 0,
});

describe('what a badge says', () => {
  test.each([
    ['all covered', lines(3, 3), '100.00%', 'full'],
    ['one line of a hundred thousand missed (rule 5)', lines(99_999, 100_000), '99.99%', 'high'],
    ['just 90', lines(9, 10), '90.00%', 'high'],
    ['the last digit below 90', lines(89_999_999, 100_000_000), '89.99%', 'good'],
    ['80', lines(8, 10), '80.00%', 'good'],
    ['two thirds', lines(2, 3), '66.66%', 'fair'],
    ['half', lines(1, 2), '50.00%', 'low'],
    ['a third', lines(1, 3), '33.33%', 'poor'],
    ['nothing covered', lines(0, 7), '0.00%', 'poor'],
    ['nothing relevant (rule 4)', lines(0, 0), 'no relevant lines', 'none'],
    [
      'branches and lines together (rule 2)',
      { coveredLines: 1, relevantLines: 1, coveredBranches: 0, branches: 1 },
      '50.00%',
      'low',
    ],
    ['no build', undefined, 'unknown', 'none'],
  ] as const)('%s', (_, totals, message, level) => {
    expect(coverageBadge(totals)).toEqual({ label: 'coverage', message, level });
  });

  test('a flag is named, as one short line', () => {
    expect(coverageBadge(lines(1, 1), 'unit').label).toBe('coverage (unit)');
    expect(coverageBadge(lines(1, 1), 'a\n\u202eb').label).toBe(String.raw`coverage (a\n\u202eb)`);
    expect(coverageBadge(lines(1, 1), 'x'.repeat(500)).label).toHaveLength('coverage ()'.length + 40);
  });
});

describe('the SVG', () => {
  test('is as wide as its two texts', () => {
    const svg = renderBadge(coverageBadge(lines(7, 8)));
    const [, whole = ''] = /^<svg [^>]*width="(\d+)" height="20"/.exec(svg) ?? [];
    const boxes = [...svg.matchAll(/<rect (?:x="\d+" )?width="(\d+)" height="20" fill="#/g)].map(([, width]) =>
      Number(width),
    );
    expect(boxes).toHaveLength(2);
    expect(Number(whole)).toBe((boxes[0] ?? 0) + (boxes[1] ?? 0));
    expect(boxes[0]).toBeGreaterThan(textWidth('coverage', 11));
  });

  test('is the same for the same badge and another for another', () => {
    expect(renderBadge(coverageBadge(lines(7, 8)))).toBe(renderBadge(coverageBadge(lines(14, 16))));
    expect(renderBadge(coverageBadge(lines(7, 8)))).not.toBe(renderBadge(coverageBadge(lines(6, 8))));
  });

  test.each([
    ['markup', '</text><script>alert(1)</script>'],
    ['quotes', '" onload="alert(1)\' x=\''],
    ['an entity', '&lol;'],
    ['half a surrogate pair', 'a\ud800b'],
    ['what XML cannot hold', 'a\u0000\u0008\ufffeb'],
  ])('holds hostile text as text: %s (rule 26)', (_, flag) => {
    const svg = renderBadge(coverageBadge(lines(1, 2), flag));
    expect(
      svg.match(/<[a-z]+/gi)?.filter((tag) => !/^<(svg|title|linearGradient|stop|clipPath|rect|g|text)$/.test(tag)),
    ).toEqual([]);
    const texts = svg.replace(/<[^<>]*>/g, '');
    expect(texts).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
    expect(svg).not.toMatch(/ on\w+="/);
    expect([...svg].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
    expect(svg).not.toContain('\ufffe');
    expect(svg.isWellFormed()).toBe(true);
  });
});

describe('the width of a text', () => {
  test.each([
    ['', 0],
    ['coverage', 51],
    ['100.00%', 51],
    ['日本', 23],
  ])('%j', (text, pixels) => {
    expect(Math.abs(textWidth(text, 11) - pixels)).toBeLessThan(2.5);
  });
});
