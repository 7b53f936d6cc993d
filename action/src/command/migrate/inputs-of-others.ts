import { IGNORED, OURS, REFUSED } from '../../step/codecov-inputs.ts';
import { isOff } from '../../step/input-values.ts';

/** What becomes of one input of another action. */
export type Fate =
  /** The same name and meaning. */
  | { readonly kind: 'same' }
  | { readonly kind: 'renamed'; readonly to: string }
  /** Removed: it is not needed here, or has no equivalent. */
  | { readonly kind: 'removed'; readonly why: 'needless' | 'no-equal' };

/** The inputs of a step: their texts as they are written, by name. */
export type Given = ReadonlyMap<string, string>;

const SAME: Fate = { kind: 'same' };
const NEEDLESS: Fate = { kind: 'removed', why: 'needless' };
const NO_EQUAL: Fate = { kind: 'removed', why: 'no-equal' };

/** For coverallsapp/github-action: our action takes them all, so only names that mean nothing go. */
const COVERALLS_INPUTS: Readonly<Record<string, Fate>> = {
  'path-to-lcov': { kind: 'renamed', to: 'file' },
  debug: NEEDLESS,
  measure: NEEDLESS,
  'coverage-reporter-version': NEEDLESS,
  'coverage-reporter-platform': NEEDLESS,
};

export function fateOfCoveralls(name: string): Fate {
  return COVERALLS_INPUTS[name] ?? SAME;
}

/** Those that our action reads under their names of codecov/codecov-action, and that have no other here. */
const KEPT: readonly string[] = ['file', 'files', 'directory', 'working-directory', 'override_pr', 'slug', 'root_dir'];

/** For codecov/codecov-action, as our action reads them: an input that would mean something else is not kept. */
export function fateOfCodecov(name: string, given: Given): Fate {
  const value = given.get(name) ?? '';
  const namesFiles = given.has('files') || given.has('file');
  if (name === 'flags' && value.includes(',')) return SAME;
  if (name === 'token' && usesIdToken(given) !== 'no') return usesIdToken(given) === 'yes' ? NEEDLESS : SAME;
  if (name === 'use_oidc') return usesIdToken(given) === 'unknown' ? SAME : NEEDLESS;
  if (name === 'exclude') return namesFiles || isOn(given, 'disable_search') ? NEEDLESS : NO_EQUAL;
  if (name === 'disable_search') return namesFiles || isOff(value) ? NEEDLESS : SAME;
  if (name === 'report_type') return NEEDLESS;
  if (name === 'commit_parent') return { kind: 'renamed', to: 'compare-sha' };
  if (KEPT.includes(name)) return SAME;
  if (IGNORED.includes(name) || (REFUSED.includes(name) && isOff(value))) return NEEDLESS;
  const to = OURS[name];
  return to === undefined ? NO_EQUAL : { kind: 'renamed', to };
}

/** An expression is known to the run alone. */
export function usesIdToken(given: Given): 'yes' | 'no' | 'unknown' {
  if (given.get('use_oidc')?.includes('{{')) return 'unknown';
  return isOn(given, 'use_oidc') ? 'yes' : 'no';
}

function isOn(given: Given, name: string): boolean {
  return !isOff(given.get(name) ?? '');
}
