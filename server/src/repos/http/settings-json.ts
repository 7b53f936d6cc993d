import { ALL_SETTINGS } from '../../core/repo/settings.ts';
import { writeSetting } from '../../platform/http/written-settings.ts';
import type { ShownSettings } from '../show-settings.ts';

/**
 * `GET` and `PUT /api/v1/repos/<service>/<name>/settings`: what is set, and what the repo goes by where that is left
 * open.
 */
export function presentSettings({ repo, effective }: ShownSettings): object {
  const shown = ALL_SETTINGS.filter(({ setAt }) => setAt !== 'repo');
  return {
    ...Object.fromEntries(shown.map((setting) => writeSetting(setting, repo.settings))),
    effective: {
      default_branches: effective.defaultBranches,
      default_branch_from: effective.defaultBranchFrom,
      visibility: effective.visibility,
      visibility_from: effective.visibilityFrom,
      accept_forks: effective.acceptForks,
    },
  };
}
