import { quoteValue } from '../../core/failure.ts';
import * as say from '../../messages/jobs.ts';

const MOST_FOLDERS = 5;
const LARGEST = 1_000_000_000;

/** What a client says that it left out of a job (`left_out`), as warnings in our words; any other form is ignored. */
export function leftOutWarnings(value: unknown): string[] {
  const { files, folders, ambiguous, beyond_end } = asFields(value);
  const beyond = asFields(beyond_end);
  const listed = Array.isArray(folders) ? folders.slice(0, MOST_FOLDERS).filter((one) => typeof one === 'string') : [];
  const [outside, unclear, lines] = [asCount(files), asCount(ambiguous), asCount(beyond.lines)];
  return [
    ...(outside === 0
      ? []
      : [
          say.leftOutOutside(
            outside,
            listed.map((folder) => quoteValue(folder)),
          ),
        ]),
    ...(unclear === 0 ? [] : [say.leftOutUnclear(unclear)]),
    ...(lines === 0 ? [] : [say.linesBeyondEnd(lines, asCount(beyond.files))]),
  ];
}

/** By its keys alone: a hostile object has millions of others. */
function asFields(value: unknown): Partial<Readonly<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asCount(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? Math.min(value as number, LARGEST) : 0;
}
