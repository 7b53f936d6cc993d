import type { ReportBytes } from '../formats/report-bytes.ts';
import type { Log } from '../runner/log.ts';
import { byteText } from '../runner/words.ts';

/** Runs something at this interval; returns what stops it. */
export type Every = (milliseconds: number, run: () => void) => () => void;

/** What takes no longer is not told. */
const QUIET_MS = 2_000;
const PAUSE_MS = 10_000;

/** Whether it is time for a line about work that began now: after two seconds, then every ten. */
export interface Pace {
  (): boolean;
  /** Since it began. */
  seconds(): number;
}

export function paceOf(now: () => number): Pace {
  const begun = now();
  let next = begun + QUIET_MS;
  const isDue = (): boolean => {
    if (now() < next) return false;
    next = now() + PAUSE_MS;
    return true;
  };
  return Object.assign(isDue, { seconds: () => Math.round((now() - begun) / 1000) });
}

/** The same report, which tells how far it was read where that takes long. */
export function tellReading(
  report: ReportBytes,
  { log, now }: { readonly log: Pick<Log, 'info'>; readonly now: () => number },
): ReportBytes {
  const isDue = paceOf(now);
  const { path, size } = report;
  return {
    ...report,
    read(target, offset, length, position) {
      const count = report.read(target, offset, length, position);
      if (isDue())
        log.info(
          `Still reading ${path}: ${byteText(position + count)} of ${byteText(size)}, ${isDue.seconds()} s so far`,
        );
      return count;
    },
  };
}
