import type { Timestamp } from '../time.ts';
import type { Repo } from './repo.ts';
import { MAX_FORMER_NAMES } from './setting.ts';
import type { RepoSettings } from './settings.ts';

/** Rule 18's names for a repo whose default branch is not known. */
const USUAL_NAMES: readonly string[] = ['main', 'master'];

/** What a repo goes by where its owner may leave it open, and who said so. */
export interface EffectiveSettings {
  /** Names of the default branch, in order of preference; several only by their usual names. */
  readonly defaultBranches: readonly string[];
  readonly defaultBranchFrom: 'setting' | 'provider' | 'usual-names';
  readonly visibility: 'private' | 'public';
  readonly visibilityFrom: 'setting' | 'provider' | 'server';
  /** Whether runs without secrets may upload (rule 29). */
  readonly acceptForks: boolean;
}

/**
 * Rules 18 and 30: the setting; else what the provider said last; else the usual names, and private. What is public
 * takes uploads of forks.
 */
export function effectiveSettings(
  { settings, seen }: Pick<Repo, 'settings' | 'seen'>,
  { requireSignIn }: { readonly requireSignIn: boolean },
): EffectiveSettings {
  const branch = settings.defaultBranch ?? seen?.defaultBranch;
  const byProvider = requireSignIn ? undefined : seen?.visibility;
  const visibility = settings.visibility ?? byProvider ?? 'private';
  return {
    defaultBranches: branch === undefined ? USUAL_NAMES : [branch],
    defaultBranchFrom: sourceOf(settings.defaultBranch, branch) ?? 'usual-names',
    visibility,
    visibilityFrom: sourceOf(settings.visibility, byProvider) ?? 'server',
    acceptForks: settings.acceptForks ?? visibility === 'public',
  };
}

/** Whether changed lines have a check of their own, and with it a status: a minimum asks for both (rule 22). */
export function judgesChanges({
  patchStatus,
  patchMinimum,
}: Pick<RepoSettings, 'patchStatus' | 'patchMinimum'>): boolean {
  return patchStatus || patchMinimum !== null;
}

function sourceOf(set: string | undefined, said: string | undefined): 'setting' | 'provider' | undefined {
  if (set !== undefined) return 'setting';
  return said === undefined ? undefined : 'provider';
}

/**
 * A change of settings with what it makes former: names that are replaced go on to be used for open pull requests (rule
 * 22).
 */
export function completeChange(
  settings: RepoSettings,
  change: Partial<RepoSettings>,
  at: Timestamp,
): Partial<RepoSettings> {
  if (!Object.hasOwn(change, 'statusNames') || sameNames(settings.statusNames, change.statusNames)) return change;
  const former = [{ names: settings.statusNames, at }, ...settings.formerStatusNames];
  return { ...change, formerStatusNames: former.slice(0, MAX_FORMER_NAMES) };
}

function sameNames(a: RepoSettings['statusNames'], b: RepoSettings['statusNames']): boolean {
  return a?.build === b?.build && a?.flag === b?.flag && a?.patch === b?.patch;
}
