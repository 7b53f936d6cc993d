import type { JobDiff } from '@coverage/shared';

/** Whose text goes along with the report. */
export type SourceChoice = 'all' | 'changed' | 'none';

/** Bounds beyond which texts stay behind: the report itself must never be refused for them. In bytes. */
export interface TextLimits {
  readonly file: number;
  readonly all: number;
}

const LIMITS: TextLimits = { file: 2 ** 20, all: 32 * 2 ** 20 };

/** The text of one file; undefined where it stays behind. */
export type TextOf = (name: string, bytes: Buffer) => string | undefined;

/** What a job's texts came to. */
export interface SentTexts {
  readonly textOf: TextOf;
  /** How many went along, and how many stayed behind for their size or because they are no text. */
  readonly counts: () => { readonly sent: number; readonly kept: number };
}

/** `changed`: the files that the diff names; none where there is no diff. */
export function chooseTexts(choice: SourceChoice, diff: JobDiff | undefined, limits = LIMITS): SentTexts {
  const changed = new Set(diff?.files.map((file) => file.name));
  let [sent, kept, left] = [0, 0, limits.all];
  return {
    textOf(name, bytes) {
      if (choice === 'none' || (choice === 'changed' && !changed.has(name))) return undefined;
      const text = bytes.length <= Math.min(limits.file, left) ? decode(bytes) : undefined;
      if (text === undefined) kept += 1;
      else {
        sent += 1;
        left -= bytes.length;
      }
      return text;
    },
    counts: () => ({ sent, kept }),
  };
}

function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
