import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Threads and processes of the tests load the same modules hundreds of times: Node compiles them once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Chaos, crash stories and long runs of properties, beyond those of every run: `npm run test:slow`. */
const SLOW = ['**/*.slow.test.ts'];
const BROWSER = 'test/browser/**/*.test.ts';

/** Their properties are tried with a tenth of all inputs in `npm test`, and with all in `npm run test:slow`. */
const LONG_PROPERTIES = [
  'action/src/formats/devel-cover.test.ts',
  'action/src/formats/gcov.test.ts',
  'action/src/formats/json-formats.test.ts',
  'action/src/formats/luacov.test.ts',
  'action/src/formats/xml-formats.test.ts',
  'action/src/report/every-name.test.ts',
  'server/src/core/builds/annotations.test.ts',
  'server/src/core/builds/merged-reports.test.ts',
  'server/src/core/diff/diff-lines.test.ts',
  'server/src/core/diff/parse-patch.test.ts',
  'server/src/core/flipping/chance.test.ts',
  'server/src/core/flipping/flip-ledger.test.ts',
  'server/src/core/verdict/attribute-change.test.ts',
  'server/src/core/verdict/cover-to-pass.test.ts',
  'server/src/core/verdict/explain-change.test.ts',
  'server/src/core/verdict/judge-flag-change.test.ts',
  'server/src/core/verdict/own-change.test.ts',
  'server/src/core/verdict/split-change.test.ts',
  'server/src/reports/ingest/early-fields.test.ts',
  'server/src/reports/ingest/ingest-job.test.ts',
  'server/src/reports/ingest/scanner-agreement.test.ts',
  'server/src/reports/codec/hostile-streams.test.ts',
  'server/src/reports/codec/merge-stored.test.ts',
  'server/src/reports/codec/report-codec.test.ts',
  'server/src/reports/threads/compose-encoded.test.ts',
  'server/src/storage/transfer/report-lines.test.ts',
  'server/src/wording/status-description.test.ts',
  'test/change-lines.test.ts',
  'test/contract/mongodb.test.ts',
  'test/diff-with-git.test.ts',
  'test/e2e/hostile-checkout-command.test.ts',
  'test/e2e/report-names.test.ts',
  'test/hostile-histories.test.ts',
  'test/http/clients/fields.test.ts',
  'test/http/fork-run-refusals.test.ts',
  'test/http/fork-runs.test.ts',
  'test/http/histories/backfill.test.ts',
  'test/http/histories/context-owners.test.ts',
  'test/http/histories/same-numbers.test.ts',
  'test/http/histories/shared-contexts.test.ts',
  'test/http/merged-ahead.test.ts',
  'test/same-numbers.test.ts',
  'test/same-overall.test.ts',
];

/** They take long even with a share of their inputs: tried in `npm run test:slow` alone. */
const ONLY_SLOW = [
  'test/change-lines.test.ts',
  'test/diff-with-git.test.ts',
  'test/http/histories/backfill.test.ts',
  'test/http/histories/context-owners.test.ts',
  'test/http/histories/shared-contexts.test.ts',
];

/** Beside their sources, but they start threads or processes, or work through megabytes: run with the HTTP tests. */
const WHOLE_PARTS = [
  'action/src/context/git.test.ts',
  'action/src/main.test.ts',
  'action/src/report/source-reader.test.ts',
  'action/src/step/run.test.ts',
  'server/src/core/diff/diff-lines.test.ts',
  'server/src/core/verdict/split-change.test.ts',
  'server/src/platform/http/json-position.test.ts',
  'server/src/reports/ingest/bounds.test.ts',
  'server/src/reports/ingest/ingest-diff.test.ts',
  'server/src/reports/ingest/ingest-job.test.ts',
  'server/src/reports/ingest/scanner-agreement.test.ts',
  'server/src/reports/codec/report-codec.test.ts',
  'server/src/reports/threads/highlighter.test.ts',
  'server/src/reports/threads/merge-estimate.test.ts',
  'server/src/reports/threads/thread-pool.test.ts',
  'server/src/wording/pr-comment.test.ts',
];

const project = (name: string, include: string[], extra: object = {}) => ({
  extends: true as const,
  test: { name, include, exclude: SLOW, ...extra },
});

const share = { env: { PROPERTY_SHARE: '0.1' } };
const MONGOD = 'test/support/mongod/global-setup.ts';
const BUILT = 'test/support/built-server.ts';
const longLimits = { testTimeout: 60_000, hookTimeout: 60_000 };
const inBrowser = { ...longLimits, maxWorkers: 2, globalSetup: [BUILT] };

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Files share the modules of their worker: none keeps state there that another file would meet.
    isolate: false,
    maxWorkers: 3,
    // Only what hangs takes so long, however busy the machine is.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    silent: 'passed-only',
    reporters: ['./scripts/project-lines.ts', 'minimal'],
    projects: [
      project('unit', ['{shared,server,action}/src/**/*.test.{ts,tsx}'], {
        ...share,
        // They start faster than processes.
        pool: 'threads',
        exclude: [...SLOW, ...WHOLE_PARTS],
      }),
      project('contract', ['test/contract/**/*.test.ts'], { ...share, globalSetup: [MONGOD, BUILT] }),
      project('http', ['test/http/**/*.test.ts', 'test/*.test.ts', ...WHOLE_PARTS], {
        ...share,
        globalSetup: [BUILT],
        exclude: [...SLOW, ...ONLY_SLOW],
      }),
      // Each file has servers, ports and folders of its own. They wait much, while the files of others work.
      project('e2e', ['test/e2e/**/*.test.ts'], { ...share, ...longLimits, globalSetup: [BUILT] }),
      // They need a Chromium and packages of their own: `npm run test:browser`. A journey with script is of every run.
      project('browser', [BROWSER], { ...share, ...inBrowser, sequence: { groupOrder: 3 } }),
      project('browser-slow', [BROWSER], {
        ...inBrowser,
        exclude: ['**/node_modules/**'],
        sequence: { groupOrder: 4 },
      }),
      project('slow', [...SLOW, ...LONG_PROPERTIES], {
        ...longLimits,
        globalSetup: [MONGOD, BUILT],
        exclude: ['**/node_modules/**', BROWSER],
        // They start processes of their own: more at a time only wait for one another.
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
