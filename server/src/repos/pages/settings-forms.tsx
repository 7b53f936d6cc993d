import type { VNode } from 'preact';
import { nameContext, STATUS_NAME_SETS } from '../../core/announce/status-names.ts';
import { formatDuration } from '../../core/duration.ts';
import { printable } from '../../core/printable.ts';
import type { EffectiveSettings } from '../../core/repo/effective-settings.ts';
import type { FlagSettings, RepoSettings, StatusNames } from '../../core/repo/repo.ts';
import { Check, type FormProps, Limit, Radio, Save, Sending, Text } from './settings-fields.tsx';

export function ThresholdsForm({ repo, settings, page }: FormProps & { readonly settings: RepoSettings }): VNode {
  return (
    <Sending repo={repo} page={page}>
      <div class="fields">
        <Limit name="minimum" label="Minimum" unit="%" value={settings.minimum} help="The total of every build." />
        <Limit
          name="allowed_drop"
          label="Allowed drop"
          unit="points"
          value={settings.allowedDrop}
          help="From the base, for the total and each flag."
        />
        <Limit
          name="patch_minimum"
          label="Coverage of the change"
          unit="% at least"
          value={settings.patchMinimum}
          help="Judged apart, under a status of their own. Write base for the total of the base build."
          isText
        />
      </div>
      <div class="field">
        <Check
          name="ignore_removed_code"
          on={settings.ignoreRemovedCode}
          label="Let a drop pass that only removed code causes"
        />
        <Check
          name="ignore_untouched_files"
          on={settings.ignoreUntouchedFiles}
          label="Let a drop pass that only files outside the change cause"
        />
      </div>
      <div class="row">
        <button class="primary" type="submit" name="do" value="thresholds">
          Save thresholds
        </button>
        <button type="submit" name="do" value="preview">
          Preview
        </button>
      </div>
    </Sending>
  );
}

export function StatusesForm({ repo, ownNames, page }: FormProps & { readonly ownNames: StatusNames }): VNode {
  const { statusNames, sendBuildStatus, informational, patchStatus } = repo.settings;
  const isSet = (set: StatusNames): boolean => JSON.stringify(set) === JSON.stringify(statusNames);
  const chosen =
    statusNames === undefined
      ? ''
      : isSet(STATUS_NAME_SETS.coveralls)
        ? 'coveralls'
        : isSet(STATUS_NAME_SETS.codecov)
          ? 'codecov'
          : 'own';
  const names = statusNames ?? ownNames;
  return (
    <Sending repo={repo} page={page} what="statuses">
      <div class="field">
        <Check name="send_build_status" on={sendBuildStatus} label="Send commit statuses" />
        <Check
          name="informational"
          on={informational}
          label="Informational"
          help="Say what would fail, but never fail."
        />
        <Check name="patch_status" on={patchStatus} label="A status of its own for the change" />
      </div>
      <fieldset class="field">
        <legend>Names</legend>
        <Radio name="names" value="" chosen={chosen} label="Ours" help={<Names names={ownNames} />} />
        <Radio
          name="names"
          value="coveralls"
          chosen={chosen}
          label="As Coveralls names them"
          help={<Names names={STATUS_NAME_SETS.coveralls} />}
        />
        <Radio
          name="names"
          value="codecov"
          chosen={chosen}
          label="As Codecov names them"
          help={<Names names={STATUS_NAME_SETS.codecov} />}
        />
        <Radio
          name="names"
          value="own"
          chosen={chosen}
          label="Names of your own"
          help="In these fields; <flag> stands for the flag."
        />
        <div class="fields">
          {(['build', 'flag', 'patch'] as const).map((place) => (
            <Text
              name={`name_${place}`}
              label={{ build: 'Build', flag: 'Each flag', patch: 'The change' }[place]}
              value={chosen === 'own' ? names[place] : ''}
              placeholder={names[place]}
            />
          ))}
        </div>
      </fieldset>
      <p class="quiet small">
        After a change, open pull requests get both the old and the new names until they close, so nothing is blocked.
      </p>
      <Save>Save statuses</Save>
    </Sending>
  );
}

function Names({ names }: { readonly names: StatusNames }): VNode {
  return (
    <>
      <code>{names.build}</code> <code>{nameContext(names, { flag: 'web' })}</code> <code>{names.patch}</code>
    </>
  );
}

export function CommentForm({ repo, noAnnotations, page }: FormProps & { readonly noAnnotations: string | undefined }) {
  const { commentOnPullRequests, commentMode, annotations } = repo.settings;
  const chosen = commentOnPullRequests ? commentMode : 'never';
  const help = noAnnotations === undefined ? 'By a check run that never fails.' : `Not here: ${noAnnotations}.`;
  return (
    <Sending repo={repo} page={page} what="comment">
      <fieldset class="field">
        <legend class="sr">When to comment</legend>
        <Radio name="comment" value="always" chosen={chosen} label="Always" />
        <Radio name="comment" value="on-change" chosen={chosen} label="Only when coverage changes or something fails" />
        <Radio name="comment" value="never" chosen={chosen} label="Never" />
      </fieldset>
      <div class="field">
        <Check name="annotations" on={annotations} label="Mark uncovered changed lines beside the code" help={help} />
      </div>
      <Save>Save comment</Save>
    </Sending>
  );
}

export function BuildsForm({ repo, effective, page }: FormProps & { readonly effective: EffectiveSettings }): VNode {
  const { expectedFlags, defaultBranch, quietPeriod, visibility, acceptForks } = repo.settings;
  const said = `${effective.visibility === 'public' ? 'Public' : 'Private'}`;
  return (
    <Sending repo={repo} page={page} what="builds">
      <div class="field">
        <label for="expected_flags">Expected flags</label>
        <textarea id="expected_flags" name="expected_flags" rows={3}>
          {(expectedFlags ?? []).join('\n')}
        </textarea>
        <span class="help">
          One on each line. Without them a build that was closed by its deadline is incomplete. Empty: learned from the
          base.
        </span>
      </div>
      <Text
        name="default_branch"
        label="Default branch"
        value={defaultBranch ?? ''}
        placeholder={effective.defaultBranches.join(' or ')}
      />
      <Text
        name="quiet_period"
        label="Close an open build after"
        value={quietPeriod === undefined ? '' : formatDuration(quietPeriod)}
        placeholder="as this server does"
        help="Without a new job: 45s, 30m, 2h."
      />
      <Text
        name="retention_days"
        label="Keep builds for, in days"
        value={String(repo.settings.retentionDays ?? '')}
        placeholder="as this server does"
        help="The newest build of each branch and what open pull requests are compared with stay."
      />
      <Text
        name="retention_builds"
        label="Keep at most, in builds"
        value={String(repo.settings.retentionBuilds ?? '')}
        placeholder="as this server does"
      />
      <div class="field">
        <label for="visibility">Who may read</label>
        <select id="visibility" name="visibility">
          <option value="" selected={visibility === undefined}>
            {visibility === undefined
              ? `As its host says, or private: ${said.toLowerCase()}`
              : 'As its host says, or private'}
          </option>
          <option value="private" selected={visibility === 'private'}>
            Private
          </option>
          <option value="public" selected={visibility === 'public'}>
            Public
          </option>
        </select>
      </div>
      <div class="field">
        <label for="accept_forks">Uploads from forks, without a secret</label>
        <select id="accept_forks" name="accept_forks">
          <option value="" selected={acceptForks === undefined}>
            {acceptForks === undefined
              ? `Where the repo is public: ${effective.acceptForks ? 'taken' : 'refused'}`
              : 'Where the repo is public'}
          </option>
          <option value="yes" selected={acceptForks === true}>
            Taken, as unverified
          </option>
          <option value="no" selected={acceptForks === false}>
            Refused
          </option>
        </select>
      </div>
      <Save>Save builds</Save>
    </Sending>
  );
}

/** A row for each flag that has settings, and one for another. */
export function FlagsForm({ repo, page }: FormProps): VNode {
  const empty: FlagSettings = { flag: '', minimum: null, allowedDrop: null, informational: false };
  const rows = [...repo.settings.flagSettings, empty];
  return (
    <Sending repo={repo} page={page} what="flags">
      {rows.map((row, index) => (
        <div class="row">
          <input name={`flag_${index}`} value={row.flag} aria-label="Flag" placeholder="Another flag" size={16} />
          <input
            class="short"
            name={`minimum_${index}`}
            value={row.minimum ?? ''}
            aria-label={`Minimum of ${printable(row.flag, 60)}, percent`}
            placeholder="minimum %"
            inputMode="decimal"
            size={10}
          />
          <input
            class="short"
            name={`allowed_drop_${index}`}
            value={row.allowedDrop ?? ''}
            aria-label={`Allowed drop of ${printable(row.flag, 60)}, points`}
            placeholder="drop, points"
            inputMode="decimal"
            size={10}
          />
          <label class="choice">
            <input type="checkbox" name={`informational_${index}`} value="on" checked={row.informational} />{' '}
            informational
          </label>
        </div>
      ))}
      <p class="quiet small">A row whose name is cleared goes. Save to get another row.</p>
      <Save>Save flags</Save>
    </Sending>
  );
}
