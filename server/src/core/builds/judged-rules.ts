import type { VerdictState } from '../verdict/verdict.ts';

/** A file that rules were read from. */
export interface RulesFile {
  readonly path: string;
  /** Where it was read; undefined: an upload brought it. */
  readonly commit: string | undefined;
  /** Hex SHA-256 of its text. */
  readonly digest: string;
}

/** A file that cannot be used: the first thing that is wrong with it, and how many there are. */
export interface BrokenFile {
  readonly path: string;
  readonly commit: string | undefined;
  readonly problems: number;
  readonly line: number;
  /** Absent in results of earlier versions. */
  readonly column?: number | undefined;
  /** Hostile text, with names and values in backticks. */
  readonly message: string;
}

/** One rule as it was in force, and who said it. Values are as they are shown. */
export interface RuleValue {
  /** As `total.minimum`. */
  readonly key: string;
  readonly value: string;
  readonly from: 'file' | 'settings' | 'server' | 'default';
  /** In the file. */
  readonly line?: number | undefined;
}

/** What a change makes of the file. It is judged by the file of its base; this is what comes after the merge. */
export interface RulesProposal {
  readonly path: string;
  readonly commit: string;
  /** Values that would change, at most MAX_CHANGED_RULES; undefined: not set. */
  readonly changes: readonly {
    readonly key: string;
    readonly from: string | undefined;
    readonly to: string | undefined;
  }[];
  readonly more: number;
  /** Undefined if it is valid. */
  readonly broken?: BrokenFile | undefined;
  /** How the total would be judged by it; undefined if it cannot be. */
  readonly would?: VerdictState | undefined;
}

/** By which rules a build was judged; a close that comes later reads the same file, since its base is the same. */
export interface JudgedRules {
  /** Undefined: the settings of the repo alone. */
  readonly file?: RulesFile | undefined;
  /** The file at its place is broken; `file` is the last valid one of the branch then, if there is one. */
  readonly broken?: BrokenFile | undefined;
  readonly proposal?: RulesProposal | undefined;
  /** CODEOWNERS is asked for, and this host has none that is read here. */
  readonly ownersUnavailable?: true | undefined;
  readonly values: readonly RuleValue[];
}

export const MAX_CHANGED_RULES = 20;
/** If there are more, the rest is left out: a file may name hundreds of flags and groups. */
export const MAX_RULE_VALUES = 300;
