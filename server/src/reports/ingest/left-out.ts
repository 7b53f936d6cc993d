import { quoteValue } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import { isOrAre, linesBeyondEnd } from './sentences.ts';

const MAX_FOLDERS = 5;
const LARGEST = 1_000_000_000;

/** What a client says that it left out of a job (`left_out`), as warnings in our words; any other form is ignored. */
export function leftOutWarnings(value: unknown): string[] {
  const { files, folders, ambiguous, beyond_end } = asFields(value);
  const beyond = asFields(beyond_end);
  const listed = Array.isArray(folders) ? folders.slice(0, MAX_FOLDERS).filter((one) => typeof one === 'string') : [];
  const [outside, unclear, lines] = [asCount(files), asCount(ambiguous), asCount(beyond.lines)];
  return [
    ...(outside === 0
      ? []
      : [
          leftOutOutside(
            outside,
            listed.map((folder) => quoteValue(folder)),
          ),
        ]),
    ...(unclear === 0
      ? []
      : [
          `The upload left out ${counted(unclear, 'file')} of its reports ` +
            'that may match several files of the checkout.',
        ]),
    ...(lines === 0 ? [] : [linesBeyondEnd(lines, asCount(beyond.files))]),
  ];
}

/** By its keys alone: a hostile object has millions of others. */
function asFields(value: unknown): Partial<Readonly<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asCount(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? Math.min(value as number, LARGEST) : 0;
}

/** `folders` are quoted, those with the most files first. */
function leftOutOutside(files: number, folders: readonly string[]): string {
  const where = folders.length === 0 ? '' : ` (in ${folders.join(', ')})`;
  const outside = `${counted(files, 'file')} of its reports that ${isOrAre(files)} not in the checkout`;
  return `The upload left out ${outside}${where}.`;
}
