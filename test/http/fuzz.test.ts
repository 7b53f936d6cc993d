import { testFuzz } from '../support/fuzz/fuzzed-run.ts';

testFuzz({ runs: 300, timeout: 120_000 });
