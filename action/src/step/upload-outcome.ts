import type { JobAnswer, LeftOut } from '@coverage/shared';
import type { Counts, FileHits } from '../formats/file-hits.ts';
import { leftOutWarnings } from '../messages/reports.ts';
import type { FoundReport } from '../report/find-reports.ts';
import type { UploadOutcome } from './outputs.ts';

/** What was uploaded, in numbers. */
export function describeUpload(
  answer: JobAnswer,
  job: {
    readonly flagName: string;
    readonly files: readonly FileHits[];
    readonly leftOut: LeftOut;
    readonly reports: readonly FoundReport[];
  },
): UploadOutcome {
  const { flagName, files, leftOut, reports } = job;
  return {
    ...answer,
    flagName,
    warnings: leftOutWarnings(leftOut),
    files: files.length,
    lines: sumOf(files.map((file) => file.countLines())),
    branches: sumOf(files.map((file) => file.countBranches())),
    reports: reports.map(({ path, format }) => ({ path, format: format.name })),
  };
}

const NOTHING: Counts = { covered: 0, all: 0 };

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, { covered, all }) => ({ covered: sum.covered + covered, all: sum.all + all }), NOTHING);
}
