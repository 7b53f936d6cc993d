import { formatDuration } from '../../core/duration.ts';
import type { FlagSettings, RepoSettings } from '../../core/repo/repo.ts';
import type { ShownSettings } from '../show-settings.ts';

/**
 * `GET` and `PUT /api/v1/repos/<service>/<name>/settings`: what is set, and what the repo goes by where that is left
 * open.
 */
export function presentSettings({ repo, effective }: ShownSettings): object {
  return {
    ...presentOwn(repo.settings),
    effective: {
      default_branches: effective.defaultBranches,
      default_branch_from: effective.defaultBranchFrom,
      visibility: effective.visibility,
      visibility_from: effective.visibilityFrom,
      accept_forks: effective.acceptForks,
    },
  };
}

function presentOwn(settings: RepoSettings): object {
  const { quietPeriod, formerStatusNames } = settings;
  return {
    patch_status: settings.patchStatus,
    patch_minimum: settings.patchMinimum,
    quiet_period: quietPeriod === undefined ? null : formatDuration(quietPeriod),
    retention_days: settings.retentionDays ?? null,
    retention_builds: settings.retentionBuilds ?? null,
    expected_flags: settings.expectedFlags ?? null,
    flag_settings: settings.flagSettings.map(presentFlag),
    status_names: settings.statusNames ?? null,
    former_status_names: formerStatusNames.map(({ names, at }) => ({
      names: names ?? null,
      at: new Date(at).toISOString(),
    })),
    default_branch: settings.defaultBranch ?? null,
    visibility: settings.visibility ?? null,
    accept_forks: settings.acceptForks ?? null,
    annotations: settings.annotations,
    comment_mode: settings.commentMode,
    informational: settings.informational,
    ignore_removed_code: settings.ignoreRemovedCode,
    ignore_untouched_files: settings.ignoreUntouchedFiles,
  };
}

function presentFlag({ flag, minimum, allowedDrop, informational }: FlagSettings): object {
  return { flag, minimum, allowed_drop: allowedDrop, informational };
}
