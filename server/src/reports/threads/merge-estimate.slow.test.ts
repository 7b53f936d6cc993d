import { expect, test } from 'vitest';
import { NO_BRANCHES } from '../../core/coverage/file-coverage.ts';
import { encodeReport } from '../codec/encode-report.ts';
import { MAX_FILES } from '../codec/report-limits.ts';
import { CannotMerge } from '../report-engine.ts';
import { composeEncoded } from './compose-encoded.ts';

test('six jobs of 100,000 files that no two of them share are refused by their tables', () => {
  const hits = new Int32Array(0);
  const file = (name: string) => ({ name, digest: undefined, source: undefined, hits, branches: NO_BRANCHES });
  const jobs = Array.from({ length: 6 }, (_, job) => ({
    flag: undefined,
    report: encodeReport({ files: Array.from({ length: 100_000 }, (_, n) => file(`${job}/${1_000_000 + n}.ts`)) }),
  }));
  const merge = () => composeEncoded({ jobs, carried: [], base: undefined });
  expect(merge).toThrow(CannotMerge);
  expect(merge).toThrow(
    expect.objectContaining({ obstacle: { kind: 'limit', what: 'source files', seen: 600_000, limit: MAX_FILES } }),
  );
}, 60_000);
