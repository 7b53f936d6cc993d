import { testFuzz } from '../support/fuzz/fuzzed-run.ts';

testFuzz({ runs: 800, timeout: 300_000 });
