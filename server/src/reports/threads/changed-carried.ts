import { compareNames } from '../../core/coverage/merge.ts';
import { listFiles } from '../codec/decode-report.ts';
import type { ReportBytes } from '../report-bytes.ts';
import { type ChangedCarried, type EncodedComposition, MAX_CHANGED_CARRIED } from '../report-engine.ts';

/** What several reports say about the text of one file. */
interface StatedText {
  readonly digest: string | undefined;
  readonly source: string | undefined;
  /** False if they contradict each other: then the text of its merged lines is unknown. */
  readonly agreed: boolean;
}

/** ReportEngine.findChangedCarried, on this thread. Only the tables of the reports are read. */
export function findChangedCarried({
  jobs,
  carried,
}: Pick<EncodedComposition, 'jobs' | 'carried'>): readonly ChangedCarried[] {
  const texts = carried.map(({ flag, reports }) => ({ flag, files: readTexts(reports) }));
  const names = new Set(texts.flatMap(({ files }) => [...files.keys()]));
  const own = readTexts(
    jobs.map(({ report }) => report),
    names,
  );
  const changed = texts.flatMap(({ flag, files }) =>
    [...files].flatMap(([name, then]) => compare({ flag, name }, then, own.get(name))),
  );
  changed.sort((a, b) => compareNames(a.flag, b.flag) || compareNames(a.name, b.name));
  return changed.slice(0, MAX_CHANGED_CARRIED);
}

function compare(
  place: Pick<ChangedCarried, 'flag' | 'name'>,
  then: StatedText,
  now: StatedText | undefined,
): readonly ChangedCarried[] {
  if (now === undefined || !then.agreed || !now.agreed) return [];
  const isOtherText = then.digest !== undefined && now.digest !== undefined && then.digest !== now.digest;
  if (!isOtherText || then.source === undefined || now.source === undefined || then.source === now.source) return [];
  return [{ ...place, from: then.source, to: now.source }];
}

/** By name; only for the names asked for, if there are any. */
function readTexts(reports: readonly ReportBytes[], names?: ReadonlySet<string>): ReadonlyMap<string, StatedText> {
  const texts = new Map<string, StatedText>();
  for (const report of reports) {
    for (const { name, digest, source, differing } of listFiles(report)) {
      if (names !== undefined && !names.has(name)) continue;
      const text = texts.get(name);
      const stated = { digest, source, agreed: differing === 0 };
      texts.set(name, text === undefined ? stated : agree(text, stated));
    }
  }
  return texts;
}

function agree(text: StatedText, other: StatedText): StatedText {
  const { digest = other.digest, source = other.source } = text;
  const agreed =
    text.agreed && other.agreed && (other.digest ?? digest) === digest && (other.source ?? source) === source;
  return { digest, source, agreed };
}
