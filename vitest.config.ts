import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], extra: object = {}) => ({
  extends: true as const,
  test: { name, include, isolate: false, ...extra },
});

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    maxWorkers: 3,
    // A busy machine is no failure: what hangs is found all the same.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      project('unit', ['{shared,server,action}/src/**/*.test.{ts,tsx}']),
      project('contract', ['test/contract/**/*.test.ts'], { globalSetup: ['test/support/mongod/global-setup.ts'] }),
      project('http', ['test/http/**/*.test.ts', 'test/*.test.ts']),
      project('e2e', ['test/e2e/**/*.test.ts'], { testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false }),
    ],
  },
});
