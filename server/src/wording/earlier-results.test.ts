import { expect, test } from 'vitest';
import { aPageContext } from '../../../test/support/page-context.ts';
import { aClosedBuild } from '../../../test/support/records.ts';
import { aShownBuild } from '../../../test/support/shown-build.ts';
import { inWords } from '../../../test/support/verdict-words.ts';
import { presentBuild } from '../builds/http/build-json.ts';
import { renderBuildPage } from '../builds/pages/build-page.tsx';
import type { BuildResult } from '../core/builds/build.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import { describeCause } from './change-words.ts';

const MISSING = {
  state: 'success',
  rule: 'not-reported',
  explanation: 'Not reported; last 80.00% in build 70.',
  summary: 'not reported; last 80.00% in build 70',
};

/** A result as version 0.1.0 stored it: verdict, cause and warnings are sentences. */
const STORED = {
  closeCount: 1,
  closedAt: 2000,
  closedBy: 'webhook',
  files: 1,
  carried: [],
  countedJobs: [1],
  totals: { coveredLines: 78, relevantLines: 100, coveredBranches: 0, branches: 0 },
  baseTotals: { coveredLines: 80, relevantLines: 100, coveredBranches: 0, branches: 0 },
  base: { buildId: 70, number: '70', commit: 'b', branch: 'main', rule: 'previous-on-branch', closeCount: 1 },
  flags: [
    {
      name: 'ui',
      kind: 'missing',
      baseTotals: { coveredLines: 4, relevantLines: 5, coveredBranches: 0, branches: 0 },
      lastSeen: { number: '70', totals: { coveredLines: 4, relevantLines: 5, coveredBranches: 0, branches: 0 } },
      verdict: MISSING,
    },
  ],
  verdict: {
    state: 'failure',
    rule: 'no-decrease',
    provisional: false,
    informational: true,
    explanation:
      'Coverage is 78.00%, down 2.00% from 80.00% in build 70; no decrease is allowed. 2 of 2 changed ' +
      'lines are not covered; covering 2 more lines would pass. Informational only: no commit status fails ' +
      'by it.',
    summary: '78.00%, down 2.00% from 80.00% in build 70; no decrease is allowed',
    brief: '78.00% from 80.00% in build 70; no decrease is allowed',
  },
  cause: {
    sentence: '2 of 2 changed lines are not covered; covering 2 more lines would pass.',
    clause: '2 of 2 changed lines uncovered',
    remedy: 'cover 2 more changed lines',
    parts: [{ part: 'changed', points: '-2.00%' }],
  },
  patch: {
    totals: { coveredLines: 0, relevantLines: 2, coveredBranches: 0, branches: 0 },
    files: [],
    fileCount: 0,
    unmeasured: [],
    unmeasuredCount: 0,
    complete: true,
    verdict: {
      state: 'failure',
      rule: 'patch-minimum',
      explanation:
        '0.00% of the changed lines covered (0 of 2), below the minimum of 80%. Covering 2 more changed ' +
        'lines would pass.',
      summary: '0.00% of the changed lines covered (0 of 2), below the minimum of 80%',
    },
  },
  fileChanges: [],
  fileChangeCount: 0,
  warnings: ["1 file of carried flags changed since; only lines that this build's own jobs call relevant count there."],
};

const result = JSON.parse(JSON.stringify(STORED)) as BuildResult;
const shown = aShownBuild(aClosedBuild({ branch: 'main', result }));
const addresses = createAddresses(() => 'https://ci.example');

test('the words of a result that an earlier version stored are its own', () => {
  expect(inWords(result.verdict, result.cause)).toEqual(STORED.verdict);
  expect(result.flags.map(({ verdict, cause }) => inWords(verdict, cause))).toEqual([MISSING]);
  expect(result.patch?.verdict && inWords(result.patch.verdict)).toEqual(STORED.patch.verdict);
  expect(result.cause && describeCause(result.cause, result.verdict)).toEqual(STORED.cause);
});

test('its JSON says what it said', () => {
  const { summary: _, brief: __, ...verdict } = STORED.verdict;
  const { sentence, parts } = STORED.cause;
  const { summary: ___, ...ofFlag } = MISSING;
  const { summary: ____, ...ofPatch } = STORED.patch.verdict;
  const json = presentBuild(shown, addresses, { showEmail: false });
  expect(json).toMatchObject({ verdict, cause: { sentence, parts }, warnings: STORED.warnings });
  expect(json.flags[0]).toMatchObject({ verdict: ofFlag, cause: null });
  expect(json.patch?.verdict).toEqual(ofPatch);
});

test('its page says what it said', () => {
  const page = [...renderBuildPage(shown, aPageContext())].join('');
  const said = [
    STORED.verdict.explanation,
    MISSING.explanation,
    STORED.patch.verdict.explanation,
    STORED.cause.sentence,
    '-2.00',
    ...STORED.warnings,
  ];
  for (const text of said) expect(page).toContain(text);
});
