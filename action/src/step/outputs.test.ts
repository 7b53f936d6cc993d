import type { BuildJson } from '@coverage/shared';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeText, outcomeLine, percentText, type StepOutcome, stepOutputs } from './outputs.ts';
import { summaryMarkdown } from './summary.ts';

const build: BuildJson = {
  id: '9',
  url: 'https://cov.example/builds/9',
  number: '71',
  service_number: '4711',
  state: 'closed',
  closed_by: 'webhook',
  repo_name: 'octo/repo',
  badge_url: '',
  branch: 'main',
  commit_sha: null,
  commit_message: null,
  committer_name: null,
  committer_email: null,
  pull_request: null,
  created_at: '',
  closed_at: '',
  covered_percent: 84.219,
  coverage_change: -0.523,
  covered_lines: 1,
  missed_lines: 1,
  relevant_lines: 2,
  covered_branches: 0,
  missed_branches: 0,
  relevant_branches: 0,
  verdict: { state: 'failure', rule: 'no-decrease', explanation: 'It fell by 0.52%.', provisional: false },
  base: null,
  flags: [
    {
      name: 'unit|x',
      covered_percent: 90,
      coverage_change: 0,
      verdict: { state: 'success', rule: 'r', explanation: 'e' },
      carried_from: null,
    },
    {
      name: 'slow',
      covered_percent: null,
      coverage_change: null,
      verdict: { state: 'success', rule: 'r', explanation: 'e' },
      carried_from: { build: '70', commit_sha: null, closed_at: '' },
    },
  ],
  jobs: [],
  warnings: ['Flag `e2e` has no report.'],
};
const upload: NonNullable<StepOutcome['upload']> = {
  url: 'https://cov.example/jobs/5',
  message: 'Job #71.1',
  flagName: 'unit',
  warnings: [],
  files: 3,
  lines: { covered: 10, all: 12 },
  branches: { covered: 5, all: 8 },
  reports: [{ path: 'coverage/lcov.info', format: 'lcov' }],
};

test('outputs of a closed build', () => {
  expect(stepOutputs({ upload, buildUrl: build.url, build })).toEqual({
    coverage: '84.21',
    change: '-0.52',
    'job-url': 'https://cov.example/jobs/5',
    'build-url': 'https://cov.example/builds/9',
    verdict: 'failure',
    overall: 'failure',
    'failing-checks': '',
  });
});

test('of a build whose total passes and a flag fails, what fails by name', () => {
  const overall = {
    state: 'failure',
    sentence: 'Failed: flag `ui`. The total passes.',
    failing: ['flag:ui', 'flag:api'],
    failing_count: 2,
    would_fail: [],
    would_fail_count: 0,
    passing_count: 1,
  } as const;
  const verdict = { state: 'success', rule: 'no-decrease', explanation: 'It rose.', provisional: false } as const;
  const outcome = { build: { ...build, verdict, overall } };
  expect(stepOutputs(outcome)).toMatchObject({
    verdict: 'success',
    overall: 'failure',
    'failing-checks': 'flag:ui\nflag:api',
  });
  expect(outcomeLine(outcome)).toMatch(/\. failure: Failed: flag `ui`\. The total passes\.$/);
  const ofTotal = { ...overall, failing: ['total'] };
  expect(outcomeLine({ build: { ...build, overall: ofTotal } })).toMatch(/failure: It fell by 0\.52%\.$/);
});

test('what is not known is empty', () => {
  const empty = {
    coverage: '',
    change: '',
    'job-url': '',
    'build-url': '',
    verdict: '',
    overall: '',
    'failing-checks': '',
  };
  expect(stepOutputs({})).toEqual(empty);
  expect(stepOutputs({ build: { ...build, covered_percent: null, coverage_change: null, verdict: null } })).toEqual(
    empty,
  );
});

test('the summary of a closed build', () => {
  expect(summaryMarkdown({ upload, buildUrl: build.url, build })).toBe(
    [
      '### Coverage 84.21% (-0.52%)',
      '**failure**: It fell by 0\\.52\\%\\.',
      '| Flag | Coverage | Change |\n| --- | ---: | ---: |\n| unit\\|x | 90.00% | 0.00% |\n| slow (carried from ' +
        'build 70) | — | — |',
      '> Flag \\`e2e\\` has no report\\.',
      '[Job \\#71\\.1](<https://cov.example/jobs/5>) for flag unit: 3 files, 10 of 12 lines and 5 of 8 branches ' +
        'covered, from:\n\n- coverage\\/lcov\\.info (lcov)',
      '[Build page](<https://cov.example/builds/9>)',
      '',
    ].join('\n\n'),
  );
});

test('one of each, without branches', () => {
  const one = { ...upload, files: 1, lines: { covered: 0, all: 1 }, branches: { covered: 0, all: 0 } };
  expect(summaryMarkdown({ upload: one })).toContain(': 1 file, 0 of 1 line covered, from:');
});

test('the heading without a change, without a percentage, without a build', () => {
  const heading = (parts: Partial<BuildJson>) => outcomeLine({ build: { ...build, verdict: null, ...parts } });
  expect(heading({ coverage_change: 0 })).toBe('Coverage 84.21% (unchanged).');
  expect(heading({ coverage_change: null })).toBe('Coverage 84.21%.');
  expect(heading({ covered_percent: null })).toBe('Coverage: no relevant lines.');
  expect(outcomeLine({ upload })).toBe('Job #71.1 uploaded.');
  expect(outcomeLine({ build })).toBe('Coverage 84.21% (-0.52%). failure: It fell by 0.52%.');
  const failure = 'The verdict on the build is failure: It fell by 0.52%. See https://cov.example/builds/9';
  expect(outcomeLine({ build, failure })).toBe('Coverage 84.21% (-0.52%).');
  expect(outcomeLine({})).toBe('Build closed.');
});

describe('hostile text', () => {
  test('stays text', () => {
    const warnings = ['[a](javascript:x)\n# <img src=x> @team | `c` www.x.y http://z'];
    expect(summaryMarkdown({ build: { ...build, warnings } })).toContain(
      '\n> \\[a\\]\\(javascript\\:x\\) \\# \\<img src\\=x\\> \\@team \\| \\`c\\` www\\.x\\.y http\\:\\/\\/z\n',
    );
  });

  test('in flags, reports and the server’s words never makes Markdown or HTML', () => {
    const evil = 'x|\n<script>](http://evil)';
    const flags = [
      {
        ...(build.flags[1] as BuildJson['flags'][0]),
        name: evil,
        carried_from: { build: evil, commit_sha: null, closed_at: '' },
      },
    ];
    const markdown = summaryMarkdown({
      upload: { ...upload, message: evil, flagName: evil, reports: [{ path: evil, format: evil }] },
      buildUrl: 'javascript:alert(1)',
      build: {
        ...build,
        flags,
        warnings: [evil],
        verdict: { state: 'success', rule: '', explanation: evil, provisional: false },
      },
    });
    expect(markdown).not.toMatch(/(?<!\\)<(?!https:)/);
    expect(markdown).not.toMatch(/(?<!\\)\]\((?!<https:)/);
    expect(markdown).not.toContain('javascript');
    expect(markdown.match(/evil/g)).toHaveLength(8);
  });

  test('a URL is a link only when it is http, and can not end early', () => {
    const markdown = summaryMarkdown({ buildUrl: 'https://x/a>)b<c' });
    expect(markdown).toContain('[Build page](<https://x/a%3E)b%3Cc>)');
  });
});

test.each([
  [0, '0.00'],
  [100, '100.00'],
  [99.99999, '99.99'],
  [4.35, '4.35'],
  [57.1, '57.10'],
  [66.66666666666667, '66.66'],
  [1e-7, '0.00'],
])('%d %%', (percent, text) => expect(percentText(percent)).toBe(text));

test.each([
  [0, '0.00'],
  [-0, '0.00'],
  [1.239, '+1.23'],
  [-1.239, '-1.23'],
  [0.00345, '+0.003'],
  [-0.00999, '-0.009'],
  [0.019, '+0.01'],
  [2.5e-7, '+0.0000002'],
  [-12.3e-7, '-0.000001'],
  [-100, '-100.00'],
  [10.001, '+10.00'],
])('a change of %d', (change, text) => expect(changeText(change)).toBe(text));

test('equals exact arithmetic for any counts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(1_000_000), (relevant, nat) => {
      const covered = Math.min(nat, relevant);
      const exact = (BigInt(covered) * 10_000n) / BigInt(relevant);
      expect(percentText((100 * covered) / relevant)).toBe(`${exact / 100n}.${String(exact % 100n).padStart(2, '0')}`);
    }),
  );
});
