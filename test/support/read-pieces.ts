import { createReadPieces, type ReadPieces, type ReadPiecesDeps } from '../../server/src/closing/read-pieces.ts';

/** Where nothing was merged before. */
export function piecesFrom(jobs: ReadPiecesDeps['jobs']): ReadPieces {
  return createReadPieces({ jobs, mergedReports: { ofBuild: async () => [], read: async () => undefined } });
}
