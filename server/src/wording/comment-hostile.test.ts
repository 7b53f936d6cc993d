import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, aFileChange, aFlag, aResult, sha, totals } from '../../../test/support/records.ts';
import type { BasePick } from '../core/builds/build.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { judgeBuild } from '../core/verdict/judge-build.ts';
import { prComment } from './pr-comment.ts';

const MARKER = '<!-- coverage: https://ci.example repo 1 -->';

/** A comment with one hostile text in every place that an upload or a provider fills. */
function hostileComment(text: string, state: 'incomplete' | 'failure' = 'incomplete'): string {
  const base: BasePick = {
    buildId: 70,
    number: text,
    commit: text,
    branch: text,
    rule: 'compare-ref',
    commitsAway: 2,
    closeCount: 1,
  };
  const carried = { flag: text, buildId: 60, number: text, commit: text, closedAt: 0, closeCount: 1 };
  const judged = judgeBuild({
    totals: totals(1, 2),
    base: undefined,
    thresholds: { minimum: null, allowedDrop: null },
    unreported: [text],
  });
  const told = { state, rule: 'no-decrease', explanation: text, summary: text } as const;
  const verdict = { ...(state === 'failure' ? told : judged), provisional: true };
  const missing = { kind: 'missing', totals: undefined, lastSeen: { number: text, totals: totals(1, 2) } } as const;
  const patched = { totals: totals(1, 3), uncovered: [[1, 2]] as const, uncoveredRanges: 30 };
  const result = aResult({
    verdict,
    baseTotals: totals(9, 10),
    base,
    flags: [aFlag(text), aFlag(`${text}2`, { kind: 'carried', carried }), aFlag(`${text}3`, missing)],
    fileChanges: [aFileChange(text), aFileChange(`b${text}`), aFileChange(`c${text}`, { kind: 'elsewhere' })],
    fileChangeCount: 3,
    warnings: [text, text],
    cause: { sentence: `Cause ${text}`, clause: text, parts: [] },
    acceptance: { by: text, at: 5, reason: text, holds: true },
    patch: {
      totals: totals(2, 6),
      files: [
        { name: text, ...patched },
        { name: `d${text}`, ...patched },
      ],
      fileCount: 2,
      unmeasured: [text, `e${text}`],
      unmeasuredCount: 3,
      complete: false,
      verdict: { state: 'failure', rule: 'minimum', explanation: text, summary: text },
    },
  });
  const build = aBuild({ pullRequest: 7, number: text, commit: text, target: sha('d'), message: text, branch: text });
  return prComment({ build, result, repo: { id: 1 }, links, terms: USUAL_TERMS });
}

/**
 * Pieces of a line that Markdown reads on their own: the cells of a row (a pipe ends one even in a code span), else all
 * of it.
 */
function pieces(line: string): readonly string[] {
  if (!line.startsWith('|')) return [line];
  return line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** What is left of a piece outside of code spans, by CommonMark's rule; `unclosed` in it where a span has no end. */
function outsideCode(piece: string): string {
  const fence = /`+/.exec(piece);
  if (fence === null) return piece;
  const rest = piece.slice(fence.index + fence[0].length);
  const end = [...rest.matchAll(/`+/g)].find((run) => run[0].length === fence[0].length);
  if (end === undefined) return `unclosed ${piece}`;
  return `${piece.slice(0, fence.index)}CODE${outsideCode(rest.slice(end.index + end[0].length))}`;
}

/**
 * Our own markup taken off: links to us, headings, folded parts, list marks, bold beginnings.
 */
function withoutOurs(text: string): string {
  return text
    .replace(/\[([^[\]]*)\]\(https:\/\/ci\.example\/[^()<>\s|\\]*\)/g, '$1')
    .replace(/<\/?(?:details|summary|sub)>/g, '')
    .replace(/^(?:#{2,3} |- )/, '')
    .replace(/^\*\*([^*]+)\*\*/, '$1');
}

/** What is wrong with a comment; nothing if all of a hostile text is mere text. */
function findEscapes(body: string): readonly string[] {
  const [marker, ...lines] = body.split('\n');
  const findings: string[] = marker === MARKER ? [] : ['the marker'];
  for (const piece of lines.flatMap(pieces)) {
    const bare = withoutOurs(outsideCode(piece));
    const markup = bare.replace(/&#\d+;/g, '');
    if (/unclosed|[`*_[\]<>~$^\\]|!\[|:\/\/|www\.|^(?:#|>|\+ |={3}|-{3}(?! ?:?\|?$))/i.test(markup))
      findings.push(`markup: ${piece}`);
    const read = bare.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));
    if (/@(?!\u200b)|#(?!\u200b)|gh-(?=\d)/i.test(read)) findings.push(`a mention or a reference: ${piece}`);
    if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]|&(?!#\d+;)/u.test(bare))
      findings.push(`an unprintable character: ${piece}`);
  }
  return findings;
}

/** Each table has rows of as many cells as its heading has. */
function findBrokenTables(body: string): readonly string[] {
  let columns: number | undefined;
  return body.split('\n').filter((line) => {
    if (!line.startsWith('|')) {
      columns = undefined;
      return false;
    }
    const cells = line.split(/(?<!\\)\|/).length;
    columns ??= cells;
    return cells !== columns;
  });
}

const NAMES: readonly (readonly [string, string])[] = [
  ['backticks', 'a`b``c```d'],
  ['backticks alone', '```'],
  ['pipes', 'a|b\\|c||'],
  ['a mention', '@octocat @octo/team a@b.example'],
  ['references', '#123 octo/shop#4 GH-5'],
  ['HTML', '<img src=x onerror=alert(1)></details><script>x</script>'],
  ['a comment', '<!-- x --> <!--'],
  ['a marker', MARKER],
  ['line breaks', 'a\n\n## b\r\n- c\n| d | e |\n\n@octocat'],
  ['a right-to-left mark', 'a\u202egpj.exe\u2066\u200f'],
  ['an image', '![](https://evil.example/x.png)'],
  ['a link', '[x](javascript:alert(1)) https://evil.example www.evil.example'],
  ['a long name', 'x/@y|`'.repeat(2_000)],
  ['characters of four bytes', '🚀👩‍👩‍👧'.repeat(50)],
  ['halves of surrogate pairs', 'a\ud800b\udc00'],
  ['entities', '&lt;b&gt; &#64;octocat &commat;octocat'],
  ['emphasis', '**a** __b__ ~~c~~ $d$'],
  ['nothing', ''],
];

describe('rule 26: a hostile text in every place of a comment', () => {
  test.each(NAMES)('%s: no mention, no reference, no markup of its own, no broken table', (_, text) => {
    const body = hostileComment(text);
    expect(findEscapes(body)).toEqual([]);
    expect(findBrokenTables(body)).toEqual([]);
    expect(body.length).toBeLessThanOrEqual(65_000);
    const failing = hostileComment(text, 'failure');
    expect([findEscapes(failing), findBrokenTables(failing)]).toEqual([[], []]);
  });

  test('whatever they are put together to', () => {
    const part = fc.oneof(fc.constantFrom(...NAMES.map(([, text]) => text.slice(0, 60))), fc.string({ maxLength: 10 }));
    const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (hostile) => {
        const body = hostileComment(hostile);
        expect([findEscapes(body), findBrokenTables(body)]).toEqual([[], []]);
      }),
      { numRuns: 60 },
    );
  });

  test('the reader of these tests sees what gets out', () => {
    const marked = (line: string): readonly string[] => findEscapes(`${MARKER}\n${line}`);
    for (const line of ['hi @octocat', 'see #1', '<b>', '`a', '| `a|b` | @x |', '![a](b)', '> quote', '&#64;octocat'])
      expect(marked(line), line).not.toEqual([]);
    expect(marked('**failure**: [build 1](https://ci.example/builds/1) `@octocat` &#42;')).toEqual([]);
    expect(findBrokenTables('| a | b |\n| --- | --- |\n| `x|y` | z |')).toHaveLength(1);
  });

  test('as it reads', () => {
    expect(hostileComment('`@a|<b>`\n![](x) #1')).toMatchInlineSnapshot(`
      "<!-- coverage: https://ci.example repo 1 -->

      ### ❌ Coverage is incomplete: &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1 did not report · changed lines fail

      **Accepted by &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1: &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1. Re-run the missing job; this comment updates.** [Show what is missed](https://ci.example/builds/71#cover)

      Some changed files or lines are unknown. ⏳ Provisional: the git host has not said yet which commit to compare with. This comment follows when it does.

      |Check|Coverage|Change, points|Rule|
      |:--|--:|--:|:--|
      |❌ [Changed lines](https://ci.example/builds/71?check=changes)|33.33%||minimum|
      |⚠️ [Total](https://ci.example/builds/71?check=total)|80.00%||must report; &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1|

      |File|Changed lines|Missing|
      |:--|--:|:--|
      |[\`\` \`@a\\|<b>\`\\n![](x) #1 \`\`](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/%60%40a%7C%3Cb%3E%60%0A!%5B%5D%28x%29%20%231)|33.33%|[1–2](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/%60%40a%7C%3Cb%3E%60%0A!%5B%5D%28x%29%20%231#L1-L2), [29 more](https://ci.example/builds/71)|
      |[\`\` d\`@a\\|<b>\`\\n![](x) #1 \`\`](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/d%60%40a%7C%3Cb%3E%60%0A!%5B%5D%28x%29%20%231)|33.33%|[1–2](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/d%60%40a%7C%3Cb%3E%60%0A!%5B%5D%28x%29%20%231#L1-L2), [29 more](https://ci.example/builds/71)|

      <details><summary>3 checks pass · not in any report · how this was compared · warnings</summary>

      3 flags.

      |Check|Coverage|Change, points|
      |:--|--:|--:|
      |✅ [\`\` \`@a\\|<b>\`\\n![](x) #1 \`\`](https://ci.example/builds/71?check=flag:%60%40a%7C%3Cb%3E%60%0A%21%5B%5D%28x%29%20%231)|80.00%|—|
      |✅ [\`\` \`@a\\|<b>\`\\n![](x) #12 \`\`](https://ci.example/builds/71?check=flag:%60%40a%7C%3Cb%3E%60%0A%21%5B%5D%28x%29%20%2312) carried from &#96;@&#8203;a&#124;&#60;b&#62;, under a day old|80.00%|—|
      |✅ [\`\` \`@a\\|<b>\`\\n![](x) #13 \`\`](https://ci.example/builds/71?check=flag:%60%40a%7C%3Cb%3E%60%0A%21%5B%5D%28x%29%20%2313) not reported, last in build &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1|—|—|

      **Changed files that aren’t in any report:** \`\` \`@a|<b>\`\\n![](x) #1 \`\`; \`\` e\`@a|<b>\`\\n![](x) #1 \`\`; 1 more on [the build’s page](https://ci.example/builds/71).

      80 of 100 lines.

      - ⚠️ &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1
      - ⚠️ &#96;@&#8203;a&#124;&#60;b&#62;&#96;&#92;n!&#91;&#93;(x) #&#8203;1

      </details>

      <sub>For [&#96;@&#8203;a&#124;&#60;b&#62;](https://ci.example/builds/71).</sub>"
    `);
  });
});
