import type { HistoryRemarks } from '@coverage/shared/history';
import { writeHistory } from '../../../action/src/command/history/write-history.ts';
import { FileHits } from '../../../action/src/formats/file-hits.ts';
import { shaOf } from '../coverage-api.ts';

const DAY = 86_400_000;

/** One commit of a history: `days` old; `lines` by flag, or a percentage, or counts. */
export interface WrittenCommit {
  readonly name: string;
  readonly days: number;
  readonly shown?: number;
  readonly totals?: { coveredLines: number; relevantLines: number; coveredBranches: number; branches: number };
  readonly partialLines?: number;
  readonly hits?: readonly number[];
  readonly flag?: string;
}

/** Writes a history as the command does. */
export function writeScene(
  folder: string,
  repo: string,
  commits: readonly WrittenCommit[],
  now = Date.now(),
  remarks: HistoryRemarks = {},
): void {
  const writer = writeHistory(folder);
  for (const { name, days, hits, flag, ...known } of commits) {
    const file = new FileHits('src/cart.js');
    for (const [index, count] of (hits ?? []).entries()) file.addLine(index + 1, count);
    const commit = { commit: shaOf(name), branch: 'main', at: now - days * DAY, message: name, ...known };
    writer.add(commit, hits === undefined ? [] : [{ ...(flag !== undefined && { flag }), files: [file] }]);
  }
  writer.finish({ from: 'codecov', address: 'acme/shop', repo, by: 'test', now, ...remarks });
}
