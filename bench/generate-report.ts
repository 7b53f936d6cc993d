import { closeSync, openSync, writeSync } from 'node:fs';

/** What a generated report is like. */
export interface ReportShape {
  readonly format: keyof typeof SHAPED;
  /** At least so many bytes. */
  readonly bytes: number;
  /** Distinct source files; they come again, in the same order, until the report is that long. */
  readonly files: number;
}

/** One source file at a time: 30 to 510 lines, of which 40 % are not relevant and 10 % have two branches. */
interface Source {
  readonly name: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly number: number;
  readonly hits: number;
  /** The hits of each arm; empty for most lines. */
  readonly arms: readonly number[];
}

interface Shaped {
  readonly start: string;
  readonly end: string;
  readonly of: (source: Source) => string;
}

const BATCH = 1 << 20;

const SHAPED = {
  lcov: { start: '', end: '', of: lcovRecord },
  cobertura: {
    start: '<?xml version="1.0" ?>\n<coverage line-rate="0.8" version="1"><packages><package name="a"><classes>\n',
    end: '</classes></package></packages></coverage>\n',
    of: coberturaClass,
  },
  clover: {
    start: '<coverage generated="1"><project timestamp="1">\n',
    end: '</project></coverage>\n',
    of: cloverFile,
  },
  jacoco: {
    start: '<?xml version="1.0"?><report name="app"><sessioninfo id="a" start="1" dump="2"/>\n',
    end: '</report>\n',
    of: jacocoFile,
  },
  go: { start: 'mode: count\n', end: '', of: goBlocks },
} as const satisfies Record<string, Shaped>;

export const REPORT_FORMATS = Object.keys(SHAPED) as (keyof typeof SHAPED)[];

/** Writes a report that is the same for the same shape; returns how many records it has. */
export function writeReport(path: string, { format, bytes, files }: ReportShape): number {
  const { start, end, of }: Shaped = SHAPED[format];
  const handle = openSync(path, 'w');
  let [text, written, records] = [start, 0, 0];
  for (; written + text.length < bytes; records += 1) {
    text += of(sourceOf(records % files, records));
    if (text.length > BATCH) {
      written += writeSync(handle, text);
      text = '';
    }
  }
  writeSync(handle, text + end);
  closeSync(handle);
  return records;
}

function sourceOf(file: number, record: number): Source {
  const structure = random(file * 7919 + 1);
  const hits = random(record * 104_729 + 3);
  const length = 30 + (structure() % 480);
  const lines: Line[] = [];
  for (let number = 1; number <= length; number += 1) {
    const kind = structure() % 100;
    if (kind < 40) continue;
    const count = hits() % 100 < 15 ? 0 : (hits() % 12) ** 2;
    lines.push({ number, hits: count, arms: kind < 90 ? [] : [count, hits() % 3] });
  }
  return { name: fileName(file), lines };
}

/** What a report calls one of its files. */
export function fileName(file: number): string {
  return `packages/part-${file % 97}/src/folder-${file % 13}/module-${file}.ts`;
}

/** A linear congruential generator; its low bits are poor, so they are left out. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

function lcovRecord({ name, lines }: Source): string {
  let text = `TN:\nSF:${name}\n`;
  for (const { number, hits } of lines)
    if (number % 40 === 1) text += `FN:${number},function_${number}\nFNDA:${hits},function_${number}\n`;
  for (const { number, hits, arms } of lines) {
    arms.forEach((taken, arm) => {
      text += `BRDA:${number},0,${arm},${hits === 0 ? '-' : taken}\n`;
    });
    text += `DA:${number},${hits}\n`;
  }
  return `${text}LF:${lines.length}\nLH:${lines.length}\nend_of_record\n`;
}

function condition(arms: readonly number[]): string {
  const covered = arms.filter((taken) => taken > 0).length;
  return ` branch="true" condition-coverage="${covered * 50}% (${covered}/2)"`;
}

function coberturaClass({ name, lines }: Source): string {
  let text = `<class name="${name}" filename="${name}" line-rate="0.5" branch-rate="0.5"><methods/><lines>\n`;
  for (const { number, hits, arms } of lines)
    text += `<line number="${number}" hits="${hits}"${arms.length > 0 ? condition(arms) : ' branch="false"'}/>\n`;
  return `${text}</lines></class>\n`;
}

function cloverFile({ name, lines }: Source): string {
  let text = `<file name="${name.slice(name.lastIndexOf('/') + 1)}" path="/home/runner/work/app/app/${name}">\n`;
  for (const { number, hits, arms } of lines) {
    const covered = arms.filter((taken) => taken > 0).length;
    const rest = arms.length > 0 ? `cond" truecount="${covered}" falsecount="${2 - covered}"` : 'stmt"';
    text += `<line num="${number}" count="${hits}" type="${rest}/>\n`;
  }
  return `${text}</file>\n`;
}

function jacocoFile({ name, lines }: Source): string {
  const slash = name.lastIndexOf('/');
  let text = `<package name="${name.slice(0, slash)}"><sourcefile name="${name.slice(slash + 1)}">\n`;
  for (const { number, hits, arms } of lines) {
    const covered = arms.filter((taken) => taken > 0).length;
    text += `<line nr="${number}" mi="${hits > 0 ? 0 : 3}" ci="${hits > 0 ? 3 : 0}" mb="${arms.length - covered}" `;
    text += `cb="${covered}"/>\n`;
  }
  return `${text}</sourcefile></package>\n`;
}

function goBlocks({ name, lines }: Source): string {
  let text = '';
  for (const { number, hits } of lines) text += `example.org/app/${name}:${number}.2,${number + 1}.16 2 ${hits}\n`;
  return text;
}
