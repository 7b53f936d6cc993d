import type { Runtime } from '../../api/retrying-fetch.ts';
import type { FailureCode } from '../../runner/failure.ts';

/** What the process gives a command; a test gives its own. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly folder: string;
  /** What was asked for: to standard output, as it is. */
  print(text: string): void;
  /** The same piece by piece, as fast as it is taken. */
  printAll(pieces: Iterable<string>): Promise<void>;
  /** Remarks, line by line, for standard error. */
  say(line: string): void;
  /** Standard output is a terminal, which may show colors; undefined: a file or a pipe. */
  readonly terminal: Terminal | undefined;
  readonly runtime: Runtime;
  /** Has no blank in it: how this program was called, for lines that can be copied. */
  readonly program: string;
  readonly version: string;
  readonly nodeVersion: string;
  /** Where this program lies; absolute. */
  readonly file: string;
}

interface Terminal {
  readonly columns: number;
}

/** One option of a command. */
export interface Option {
  /** As `--name` calls it. */
  readonly name: string;
  readonly short?: string;
  /** Other names that do the same, such as those of other clients. Help does not list them. */
  readonly aliases?: readonly string[];
  /** What the help calls its value, as `file`; absent: a switch. */
  readonly value?: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** It may be given several times. */
  readonly multiple?: boolean;
  /** A clause without a full stop, for the help. */
  readonly summary: string;
}

/** What a person typed, checked against a command's options. */
export interface Arguments {
  /** What is no option, in its order. */
  readonly operands: readonly string[];
  isOn(option: string): boolean;
  /** The last value given; undefined without one. */
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** A clause without a full stop, for the list of commands. */
  readonly summary: string;
  /** What follows the command's name, as `[options] [report...]`. */
  readonly usage: string;
  /** What the help says below the usage, wrapped to the terminal by hand. */
  readonly explanation?: string;
  /** Each a whole line behind the program's name, and what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  readonly options: readonly Option[];
  /** Completions offer these in place of files. */
  readonly operands?: readonly string[];
  /** Throws `ActionFailure` for anything that a person has to fix. */
  run(given: Arguments, shell: Shell): Promise<ExitCode>;
}

/** How the program ends (docs/command.md, "Exit codes"). */
export const EXIT = {
  good: 0,
  /** The verdict or the check failed. */
  failed: 1,
  /** Wrong use, or input that can not be read. */
  wrongUse: 2,
  refused: 3,
  unreachable: 4,
  /** Not foreseen: a fault of this program. */
  fault: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_FAILURE: Partial<Record<FailureCode, ExitCode>> = {
  'no-secret': EXIT.good,
  'server-refused': EXIT.refused,
  'answer-not-understood': EXIT.refused,
  'server-unreachable': EXIT.unreachable,
};

export function exitCodeOf(failure: FailureCode): ExitCode {
  return BY_FAILURE[failure] ?? EXIT.wrongUse;
}
