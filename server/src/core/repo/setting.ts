import type { Timestamp } from '../time.ts';

/** What a setting holds, by its kind. */
export interface Values {
  readonly switch: boolean;
  /** From 0 to 100; null: none. */
  readonly limit: number | null;
  readonly 'limit-or-base': PatchMinimum;
  /** From 1 to `most`. */
  readonly count: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly branch: string;
  readonly flags: readonly string[];
  readonly 'flag-settings': readonly FlagSettings[];
  readonly 'status-names': StatusNames;
  readonly 'former-names': readonly FormerStatusNames[];
  readonly 'ratchet-reset': RatchetReset;
}

type Kinds = { readonly [Kind in keyof Values]: { readonly kind: Kind; readonly default: Values[Kind] | undefined } };

/**
 * Anybody who maintains the repo sets it, at the address of its settings; `repo`: at the repo's own address and in
 * DEFAULT_REPO_SETTINGS; `nowhere`: the server alone sets it.
 */
interface SetAt<Place extends 'repo' | 'nowhere' = 'nowhere'> {
  readonly setAt?: Place;
}

/** What only some kinds have. */
interface OfKind {
  readonly switch: SetAt<'repo' | 'nowhere'> & {
    /** The repo's own file may say it too, by the same key. `lenient`: with it, less fails. */
    readonly inFile?: 'lenient' | 'neutral';
  };
  readonly limit: SetAt<'repo' | 'nowhere'> & { readonly unit?: string };
  readonly 'limit-or-base': SetAt & { readonly unit?: string };
  readonly count: SetAt & { readonly max: number; readonly of: string };
}

/** One of some words, each with what the page says for it. */
interface Choice extends SetAt {
  readonly kind: 'choice';
  readonly choices: Readonly<Record<string, string>>;
  readonly default: string | undefined;
}

/** One setting of a repo: API, files of repos, form, answers and exports follow from this. */
export type Setting = {
  /** As the API and files of repos spell it. */
  readonly key: string;
  /** An older name that the API takes as well. */
  readonly alias?: string;
  /** For its input on the settings page; without one the page has its own way to show it. */
  readonly label?: string;
  readonly help?: string;
  /** What the page says while it is left open. */
  readonly open?: string;
  /** The input's name, if it is not the key. */
  readonly input?: string;
  /** What the page says for on and off, if it may be left open. */
  readonly on?: string;
  readonly off?: string;
} & (
  | Choice
  | { [Kind in keyof Values]: Kinds[Kind] & (Kind extends keyof OfKind ? OfKind[Kind] : SetAt) }[keyof Values]
);

/** In percent from 0 to 100; `base`: the base's total; null: none. */
export type PatchMinimum = number | 'base' | null;

/** How one flag is judged. */
export interface FlagSettings {
  readonly flag: string;
  /** Percent from 0 to 100; null: none. */
  readonly minimum: number | null;
  /** Percentage points from 0 to 100; null: the repo's. */
  readonly allowedDrop: number | null;
  readonly informational: boolean;
}

/** Texts of contexts; `<flag>` in the flag's stands for the flag's name. */
export interface StatusNames {
  readonly build: string;
  readonly flag: string;
  readonly patch: string;
}

/** An administrator lowered what the ratchet asks for: totals before this moment no longer count. */
export interface RatchetReset {
  readonly at: Timestamp;
  readonly by: string;
  /** For people: hostile text. */
  readonly reason: string;
}

/** Names of contexts that were replaced; undefined: those by the server's STATUS_CONTEXT. */
export interface FormerStatusNames {
  readonly names: StatusNames | undefined;
  /** When they were replaced. */
  readonly at: Timestamp;
}

/**
 * If there are more, the oldest are dropped: each is one more context on every commit of a pull request that was open
 * all the time.
 */
export const MAX_FORMER_NAMES = 5;
