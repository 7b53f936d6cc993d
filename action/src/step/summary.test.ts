import type { BuildJson, PatchFileJson } from '@coverage/shared';
import { expect, test } from 'vitest';
import { summaryMarkdown } from './summary.ts';

const counts = {
  covered_lines: 3,
  missed_lines: 2,
  relevant_lines: 5,
  covered_branches: 0,
  missed_branches: 0,
  relevant_branches: 0,
};
const file = (name: string, stated: Partial<PatchFileJson> = {}): PatchFileJson => ({
  ...counts,
  name,
  covered_percent: 60,
  uncovered: [
    [4, 6],
    [9, 9],
  ],
  uncovered_ranges: 2,
  ...stated,
});

function build(files: PatchFileJson[], stated: object = {}): BuildJson {
  return {
    covered_percent: 80,
    coverage_change: -1,
    verdict: { state: 'failure', rule: 'no-decrease', explanation: 'It fell.', provisional: false },
    patch: {
      ...counts,
      covered_percent: 60,
      files,
      file_count: files.length,
      unmeasured: [],
      unmeasured_count: 0,
      ...stated,
    },
    flags: [],
    warnings: [],
  } as unknown as BuildJson;
}

const url = 'https://cov.example/builds/9';

test('verdict, change and the uncovered lines of each changed file, then the link', () => {
  const whole = file('b.js', { missed_lines: 0, uncovered: [], uncovered_ranges: 0 });
  const branches = file('c|d.js', {
    covered_branches: 1,
    missed_branches: 1,
    relevant_branches: 2,
    uncovered_ranges: 7,
  });
  const markdown = summaryMarkdown({ build: build([file('a.js'), branches, whole]), buildUrl: url });
  expect(markdown.split('\n\n')).toEqual([
    '### Coverage 80.00% (-1.00%)',
    '**failure**: It fell\\.',
    '60.00% of the change is covered: 3 of 5 lines.',
    '| Changed file | Lines | Branches | Uncovered lines |\n| --- | ---: | ---: | --- |\n' +
      '| a\\.js | 3 / 5 | — | 4–6, 9 |\n| c\\|d\\.js | 3 / 5 | 1 / 2 | 4–6, 9, and 5 more |',
    `[Build page](<${url}>)`,
    '',
  ]);
});

test('the checks, those that fail first, with what would pass', () => {
  const check = { covered_percent: 50, coverage_change: -1, required: true, state: 'failure', remedy: null };
  const checks = [
    { ...check, id: 'flag:ui', kind: 'flag', name: 'ui', remedy: { sentence: 'Cover 4 more lines.' } },
    { ...check, id: 'flag:e2e', kind: 'flag', name: 'e2e', informational: true },
    { ...check, id: 'total', kind: 'total', name: null, state: 'success', coverage_change: null },
    { ...check, id: 'changes', kind: 'changes', name: null, accepted: true },
  ];
  const overall = { state: 'failure', sentence: 'Failed: flag `ui`.', failing: ['flag:ui'], would_fail: ['flag:e2e'] };
  const flags = [{ name: 'ui', carried_from: { build: '70' } }];
  const markdown = summaryMarkdown({ build: { ...build([]), checks, overall, flags } as unknown as BuildJson });
  expect(markdown).toContain('**failure**: Failed\\: flag \\`ui\\`\\.');
  expect(markdown.split('\n').filter((line) => /^\| [❌⚠✅]/u.test(line))).toEqual([
    '| ❌ ui (flag) (carried from build 70) | 50.00% | -1.00% | Cover 4 more lines\\. |',
    '| ⚠️ e2e (flag), informational | 50.00% | -1.00% |  |',
    '| ✅ Total | 50.00% | — |  |',
    '| ✅ Changed lines | 50.00% | -1.00% |  |',
  ]);
  const many = Array.from({ length: 130 }, (_, index) => ({ ...checks[0], id: `flag:${index}`, name: `f${index}` }));
  const long = summaryMarkdown({ build: { ...build([]), checks: many, overall } as unknown as BuildJson });
  expect(long).toContain('page lists 30 more checks');
});

test('hostile names stay text', () => {
  const evil = '](http://evil)<img src=x>|`\n@team';
  const markdown = summaryMarkdown({
    build: build([file(evil)], { unmeasured: [evil], unmeasured_count: 1 }),
    buildUrl: url,
  });
  expect(markdown).not.toMatch(/(?<!\\)<(?!https:)/);
  expect(markdown).not.toMatch(/(?<!\\)[@`]/);
  expect(markdown.match(/evil/g)).toHaveLength(2);
});

test('stays below what GitHub takes, and keeps the link', () => {
  const long = '🦊_'.repeat(5_000);
  const flags = Array.from({ length: 5_000 }, () => ({
    name: long,
    covered_percent: 1,
    coverage_change: 0,
    carried_from: null,
  }));
  const many = build(
    Array.from({ length: 200 }, () => file(long)),
    { file_count: 1_000 },
  );
  const warnings = Array.from({ length: 20 }, () => '*'.repeat(100_000));
  const markdown = summaryMarkdown({
    build: { ...many, flags, warnings } as unknown as BuildJson,
    buildUrl: url,
  });
  expect(Buffer.byteLength(markdown)).toBeLessThan(1_000_000);
  expect(markdown).toContain('page lists 900 more changed files');
  expect(markdown).toContain('page lists 4900 more flags');
  expect(markdown).toContain(`[Build page](<${url}>)`);
});

test('a dry run says that nothing was sent', () => {
  expect(summaryMarkdown({ dryRun: { url: 'https://cov.example', body: () => ({}) } })).toBe(
    '### Coverage\n\nDry run: nothing was sent.\n\n',
  );
});

test('what was left out is said once: by the build, or where that is open still by the upload', () => {
  const counts = { covered: 1, all: 1 };
  const upload = { url, message: 'Job #7.2', flagName: '', files: 1, lines: counts, branches: counts, reports: [] };
  const told = { ...upload, warnings: ['Left out: <x>'] };
  expect(summaryMarkdown({ upload: told })).toContain('\n> Left out\\: \\<x\\>\n');
  const ofJob = (job: string) => ({ ...build([]), warnings: [`Job ${job}: The upload left out.`] }) as BuildJson;
  expect(summaryMarkdown({ upload: told, build: ofJob('7.2') })).not.toContain('x\\>');
  expect(summaryMarkdown({ upload: told, build: ofJob('7.21') })).toContain('x\\>');
});
