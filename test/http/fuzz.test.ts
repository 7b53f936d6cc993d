import { testFuzz } from '../support/fuzz/fuzzed-run.ts';

testFuzz({ runs: 100, timeout: 120_000 });
